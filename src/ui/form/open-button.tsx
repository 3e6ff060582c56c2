import type { ComponentChildren } from 'preact'
import { Icon } from '../frame/icon.tsx'
import type { IconName } from '../frame/icon-paths.ts'
import { show } from '../router/router.ts'

interface OpenButtonProps {
  /** The form that it opens. */
  readonly act: string
  /** The one that is open. */
  readonly open: string | undefined
  readonly icon: IconName
  readonly children: ComponentChildren
}

/** Opens a form by the address; is not there while that is open. */
export const OpenButton = ({ act, open, icon, children }: OpenButtonProps) =>
  act === open ? null : (
    <button type="button" onClick={() => show({ act })}>
      <Icon name={icon} /> {children}
    </button>
  )
