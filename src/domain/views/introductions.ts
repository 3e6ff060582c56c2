import { byTime, type Statement } from '../statements/statement.ts'
import { groupBy } from './group-by.ts'
import type { SpeakerStatements } from './speakers.ts'

/**
 * The introductions of a project: statements that entitle a key to speak (the founding, claims, and the rotations
 * after them), each with the time at which its key was replaced.
 */
export class Introductions {
  readonly #roots = new Map<string, Statement>()
  /** By an introduction in effect, the rotation that replaced its key; undefined while the key is valid. */
  readonly #endedBy = new Map<string, Statement | undefined>()
  readonly #last = new Map<string, Statement>()

  /** Statements under `otherFoundings` are attributed to the founding, but never timely. */
  constructor({ founding, otherFoundings, all }: SpeakerStatements, claims: readonly Statement[]) {
    for (const root of [founding, ...claims]) this.open(root)
    for (const other of otherFoundings) this.#roots.set(other.id, founding)
    const following = groupBy(all('rotation'), ({ under }) => under ?? '')
    const left = [founding, ...otherFoundings, ...claims]
    for (let one = left.pop(); one !== undefined; one = left.pop())
      for (const next of following.get(one.id) ?? []) {
        this.rotate(next)
        left.push(next)
      }
  }

  /** The claim or founding from which the statement's key descends. */
  rootOf({ id, under = id }: Statement): Statement | undefined {
    return this.#roots.get(under)
  }

  /** The introduction of a root's current key: the root itself, or the last rotation after it that is in effect. */
  lastOf(root: Statement): Statement {
    return this.#last.get(root.id) ?? root
  }

  /** Whether the statement's key was valid at the time that the statement gives. */
  isTimely({ id, under = id, at }: Statement): boolean {
    return this.#endedBy.has(under) && at <= (this.#endedBy.get(under)?.at ?? ALWAYS)
  }

  /** A founding or a claim. */
  open(root: Statement): void {
    this.#roots.set(root.id, root)
    this.#endedBy.set(root.id, undefined)
  }

  /** Of two rotations the earlier is in effect: the later may be a thief's. Returns whether this one is in effect. */
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
}

/** Later than every stamp. */
const ALWAYS = '~'
