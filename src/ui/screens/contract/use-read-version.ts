import { useSignal } from '@preact/signals'
import { show } from '../../router/router.ts'
import { writePair } from './pair.ts'

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
