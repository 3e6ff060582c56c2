import type { Unsigned } from '../../src/domain/statements/say.ts'
import type { Statement } from '../../src/domain/statements/statement.ts'
import { placeOf } from './state.ts'

/** What was said again after a clock was put right. */
export class Renewals {
  readonly #byId = new Map<string, Unsigned>()
  /** By the place that it was kept in before: older words of a register were gone by then. */
  readonly #byPlace = new Map<string, { readonly before: Statement; readonly after: Unsigned }>()

  get size(): number {
    return this.#byId.size
  }

  note(before: Statement, after: Unsigned): void {
    this.#byId.set(before.id, after)
    this.#byPlace.set(placeOf(before), { before, after })
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
    return this.#byId.get(said.id) ?? (isOlderWord ? known.after : undefined)
  }
}
