import { Icon } from '../../frame/icon.tsx'
import type { ReadVersion } from './use-read-version.ts'

/** Says that another version came while a form was open. */
export function NewerBar({ read }: { readonly read: ReadVersion }) {
  if (read.newer === undefined) return null
  return (
    <div class="newer" role="alert">
      <Icon name="warning" />
      <span>
        Version {read.newer} arrived while you were reading version {read.version}. What you wrote is kept.
      </span>
      <button type="button" onClick={read.look}>
        Look at what changed
      </button>
    </div>
  )
}
