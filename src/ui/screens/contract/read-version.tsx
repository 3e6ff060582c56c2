import { useSignal } from '@preact/signals'
import { Icon } from '../../frame/icon.tsx'
import { show } from '../../router/router.ts'
import { writePair } from './pair.ts'

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

export interface ReadVersion {
  /** The version that the person has read, to which an act is bound. */
  readonly version: number
  /** A newer one that came meanwhile; undefined: none. */
  readonly newer: number | undefined
  /** Shows what the newer one changes; from then on it counts as read. */
  look(): void
}

/** Binds an act to what was read: nobody agrees to something that came while he was writing. */
export function useReadVersion(newest: number): ReadVersion {
  const read = useSignal(newest)
  return {
    version: read.value,
    newer: newest === read.value ? undefined : newest,
    look() {
      show({ v: writePair({ from: String(read.value), to: String(newest) }) })
      read.value = newest
    },
  }
}
