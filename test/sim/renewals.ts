import type { Unsigned } from '../../src/domain/statements/say.ts'
import type { Statement } from '../../src/domain/statements/statement.ts'
import { placeOf } from './state.ts'

interface Renewal {
  readonly before: Statement
  readonly after: Unsigned
}

/** What was said again after a clock was put right. */
export class Renewals {
  readonly #byId = new Map<string, Renewal>()
  /** By the place that it was kept in before: older words of a register were gone by then. */
  readonly #byPlace = new Map<string, Renewal>()

  get size(): number {
    return this.#byId.size
  }

  note(before: Statement, after: Unsigned): void {
    this.#byId.set(before.id, { before, after })
    this.#byPlace.set(placeOf(before), { before, after })
  }

  /** A disk from a backup has these as they were before, and does not know that they were said again. */
  undo(isBack: (before: Statement) => boolean): void {
    for (const known of [this.#byId, this.#byPlace])
      for (const [key, { before }] of known) if (isBack(before)) known.delete(key)
  }

  has({ id }: Statement): boolean {
    return this.#byId.has(id)
  }

  /** What stands for a statement now: itself, or what was said again in its place. */
  nowOf(said: Unsigned): Unsigned {
    let now = said
    for (let next = this.#nextOf(now); next !== undefined; next = this.#nextOf(now)) now = next
    return now
  }

  #nextOf(said: Unsigned): Unsigned | undefined {
    const known = this.#byPlace.get(placeOf(said))
    const isOlderWord = known !== undefined && said.at < known.before.at && said.at > known.after.at
    return this.#byId.get(said.id)?.after ?? (isOlderWord ? known.after : undefined)
  }
}
