import type { Stamp } from '../../protocol/stamp.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { groupBy } from './group-by.ts'

/** What lets keys speak in a project. */
export interface Openings {
  readonly founding: Statement
  /** Foundings that were never in effect: what is said under them is of the founding that is, and not timely. */
  readonly otherFoundings: readonly Statement[]
  readonly claims: readonly Statement[]
  readonly rotations: readonly Statement[]
}

/** Statements that let a key speak, each with how long it did: a founding or claim, and the rotations after it. */
export class Introductions {
  readonly #roots = new Map<string, Statement>()
  /** The rotation that ended the time of an introduction that was in effect; undefined while its key speaks. */
  readonly #endedBy = new Map<string, Statement | undefined>()
  readonly #last = new Map<string, Statement>()

  constructor({ founding, otherFoundings, claims, rotations }: Openings) {
    for (const root of [founding, ...claims]) this.open(root)
    for (const other of otherFoundings) this.#roots.set(other.id, founding)
    const following = groupBy(rotations, ({ under }) => under ?? '')
    const left = [founding, ...otherFoundings, ...claims]
    for (let one = left.pop(); one !== undefined; one = left.pop())
      for (const next of following.get(one.id) ?? []) {
        this.rotate(next)
        left.push(next)
      }
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
    return this.#endedBy.has(under) && at <= this.#until(under)
  }

  /** A founding or a claim. */
  open(root: Statement): void {
    this.#roots.set(root.id, root)
    this.#endedBy.set(root.id, undefined)
  }

  /**
   * Where a key was replaced twice, the earlier time counts: the other one is spoken with by somebody else. Returns
   * whether this one is in effect.
   */
  rotate(rotation: Statement): boolean {
    const { id, under = '' } = rotation
    const root = this.#roots.get(under)
    if (root === undefined) return false
    this.#roots.set(id, root)
    const other = this.#endedBy.get(under)
    if (!this.#endedBy.has(under) || (other !== undefined && byTime(other, rotation) < 0)) return false
    for (let one = other; one !== undefined; ) {
      const next: Statement | undefined = this.#endedBy.get(one.id)
      this.#endedBy.delete(one.id)
      one = next
    }
    this.#endedBy.set(under, rotation)
    this.#endedBy.set(id, undefined)
    this.#last.set(root.id, rotation)
    return true
  }

  #until(introduction: string): Stamp | typeof ALWAYS {
    return this.#endedBy.get(introduction)?.at ?? ALWAYS
  }
}

/** Later than every stamp. */
const ALWAYS = '~'
