import type { Timers } from '../../ports/ports.ts'

export interface SaveSoonDeps {
  timers: Timers
  /** How often at most it is saved. */
  everyMillis: number
  save(): Promise<void>
}

/** Saves what changed a little later, however often it changes until then. What fails is saved again. */
export class SaveSoon {
  readonly #deps: SaveSoonDeps
  #isUnsaved = false
  #isEnded = false
  /** The save that is under way, or the last one. */
  #saving: Promise<void> | undefined
  #cancel: (() => void) | undefined

  constructor(deps: SaveSoonDeps) {
    this.#deps = deps
  }

  soon(): void {
    const { timers, everyMillis } = this.#deps
    this.#isUnsaved = true
    if (this.#isEnded) return
    this.#cancel ??= timers.after(everyMillis, () => {
      this.#cancel = undefined
      this.#saving = this.#save().catch(() => this.soon())
    })
  }

  /** Saves what is not saved yet, and nothing after that. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#cancel?.()
    await this.#saving
    if (this.#isUnsaved) await this.#save()
  }

  async #save(): Promise<void> {
    this.#isUnsaved = false
    await this.#deps.save()
  }
}
