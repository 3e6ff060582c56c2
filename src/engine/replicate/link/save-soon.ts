import type { Timers } from '../../ports/ports.ts'

interface SaveSoonDeps {
  timers: Timers
  /** How often at most it is saved. */
  everyMillis: number
  save(): Promise<void>
}

/** Saves what changed a little later, however often it changes until then. What fails is saved again. */
export function createSaveSoon({ timers, everyMillis, save }: SaveSoonDeps) {
  let isUnsaved = false
  let isEnded = false
  /** The save that is under way, or the last one. */
  let saving: Promise<void> | undefined
  let cancel: (() => void) | undefined

  return {
    soon,
    /** Saves what is not saved yet, and nothing after that. */
    async end(): Promise<void> {
      isEnded = true
      cancel?.()
      await saving
      if (isUnsaved) await saveNow()
    },
  }

  function soon(): void {
    isUnsaved = true
    if (isEnded) return
    cancel ??= timers.after(everyMillis, () => {
      cancel = undefined
      saving = saveNow().catch(soon)
    })
  }

  async function saveNow(): Promise<void> {
    isUnsaved = false
    await save()
  }
}
