import { addMicros, parseStamp, type Stamp } from '../../protocol/stamp.ts'

/** What the clock of the server shows. Servers before 2.10 tell it only with a reader that they made. */
export class ServerClock {
  #heard: { readonly now: Stamp; readonly at: number } | undefined

  note(time: string): void {
    const now = parseStamp(time)
    if (now !== undefined) this.#heard = { now, at: performance.now() }
  }

  now(): Stamp | undefined {
    if (this.#heard === undefined) return undefined
    const { now, at } = this.#heard
    return addMicros(now, Math.round((performance.now() - at) * 1000))
  }
}
