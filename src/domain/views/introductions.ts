import type { Stamp } from '../../protocol/stamp.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { groupBy } from './group-by.ts'

/** Statements that let a key speak, each with how long it did: a founding or claim, and the rotations after it. */
export class Introductions {
  readonly #roots = new Map<string, Statement>()
  /** Until when the key of an introduction that was in effect spoke; undefined while it speaks. */
  readonly #until = new Map<string, Stamp | undefined>()
  readonly #last = new Map<string, Statement>()
  /** Rotations, by what they are under. */
  readonly #following: ReadonlyMap<string, Statement[]>

  constructor(openings: Iterable<Statement>, rotations: Iterable<Statement>) {
    this.#following = groupBy(rotations, ({ under }) => under ?? '')
    for (const root of openings) this.#enter(root)
  }

  /** The claim or founding that the key goes back to. */
  rootOf({ id, under = id }: Statement): Statement | undefined {
    return this.#roots.get(under)
  }

  /** The one of a root whose key speaks now: itself, or the last of the rotations after it that were in effect. */
  lastOf(root: Statement): Statement {
    return this.#last.get(root.id) ?? root
  }

  /** Whether the key of a statement was the one to speak with at the time that it names. */
  isTimely({ id, under = id, at }: Statement): boolean {
    if (!this.#until.has(under)) return false
    const until = this.#until.get(under)
    return until === undefined || at <= until
  }

  /** Whether each of these is later of the same root, and let its key speak for as long. */
  isGoneOnWith(later: Introductions): boolean {
    for (const [id, root] of this.#roots) {
      if (later.#roots.get(id) !== root) return false
      if (later.#until.has(id) !== this.#until.has(id) || later.#until.get(id) !== this.#until.get(id))
        return false
    }
    return true
  }

  /** One that was never in effect, with the rotations after it: what is said under it is of that root, and not timely. */
  enterVoid(first: Statement, root: Statement): void {
    const left = [first]
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      this.#roots.set(one.id, root)
      for (const next of this.#following.get(one.id) ?? []) left.push(next)
    }
  }

  /** Where a key was replaced twice, the earlier time counts: the other one is spoken with by somebody else. */
  #enter(root: Statement): void {
    let effective: Statement | undefined = root
    while (effective !== undefined) {
      const [next, ...others]: Statement[] = (this.#following.get(effective.id) ?? []).sort(byTime)
      this.#roots.set(effective.id, root)
      this.#until.set(effective.id, next?.at)
      this.#last.set(root.id, effective)
      for (const other of others) this.enterVoid(other, root)
      effective = next
    }
  }
}
