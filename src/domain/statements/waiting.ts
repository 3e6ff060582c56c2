import { hasLostContent, type Statement } from './statement.ts'

/** How many statements of one key may wait here for what they cite. */
export const MOST_WAITING = 1000

/**
 * Statements that cite something which is not here yet. Bounded for each key, so that nobody can use up the room of
 * another; what has no room is sent again by whoever compares digests with us.
 */
export class WaitingPool {
  readonly #most: number
  /** By what they wait for, then by their own id; with and without its content a statement may wait twice. */
  readonly #waiting = new Map<string, Map<string, Statement>>()
  readonly #countOf = new Map<string, number>()

  constructor(most = MOST_WAITING) {
    this.#most = most
  }

  /** False when there is no room for another one of this key. */
  add(statement: Statement, waitsFor: string): boolean {
    const others = this.#waiting.get(waitsFor) ?? new Map<string, Statement>()
    const place = hasLostContent(statement) ? `${statement.id} bare` : statement.id
    if (others.has(place)) return true
    const count = this.#countOf.get(statement.key) ?? 0
    if (count >= this.#most) return false
    this.#countOf.set(statement.key, count + 1)
    this.#waiting.set(waitsFor, others.set(place, statement))
    return true
  }

  /** Those that wait for this id, which have to be judged again; they wait no more. */
  take(id: string): Statement[] {
    const found = [...(this.#waiting.get(id)?.values() ?? [])]
    this.#waiting.delete(id)
    for (const { key } of found) {
      const left = (this.#countOf.get(key) ?? 1) - 1
      if (left === 0) this.#countOf.delete(key)
      else this.#countOf.set(key, left)
    }
    return found
  }

  /** Those that wait for this id, which go on waiting. */
  waitingFor(id: string): Iterable<Statement> {
    return this.#waiting.get(id)?.values() ?? []
  }
}
