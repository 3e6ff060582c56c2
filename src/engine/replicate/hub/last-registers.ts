import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'

const MOST_KNOWN = 10_000

/** Of the registers that were published or read last, by subject: the message that is the last one there. */
export class LastRegisters {
  readonly #sequences = new Map<string, number>()

  get(subject: string): number | undefined {
    return this.#sequences.get(subject)
  }

  note(subject: string, sequence: number): void {
    if (sequence < (this.#sequences.get(subject) ?? 0)) return
    this.#sequences.delete(subject)
    this.#sequences.set(subject, sequence)
    dropOldest(this.#sequences, MOST_KNOWN)
  }

  forget(subject: string): void {
    this.#sequences.delete(subject)
  }
}
