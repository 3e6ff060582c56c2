import { oncePer } from '../../protocol/collections/once-per.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { byTime, type Statement } from '../statements/statement.ts'

/** Statements in order of time. Most arrive in order and are appended; otherwise the next read sorts the list. */
export class Timeline {
  readonly #said = new Set<Statement>()
  #sorted: Statement[] | undefined

  add(statement: Statement): void {
    this.#said.add(statement)
    const last = this.#sorted?.at(-1)
    if (last === undefined || byTime(last, statement) > 0) this.#sorted = undefined
    else this.#sorted?.push(statement)
  }

  delete(statement: Statement): boolean {
    const place = this.#sorted?.lastIndexOf(statement) ?? -1
    if (place >= 0) this.#sorted?.splice(place, 1)
    return this.#said.delete(statement)
  }

  replace(before: Statement, after: Statement): void {
    if (!this.#said.delete(before)) return
    this.#said.add(after)
    const place = this.#sorted?.lastIndexOf(before) ?? -1
    if (place >= 0) this.#sorted?.splice(place, 1, after)
  }

  all(): readonly Statement[] {
    this.#sorted ??= [...this.#said].sort(byTime)
    return this.#sorted
  }

  /** The newest statements, or the newest before the one of this id, and the number of those before them. */
  last(most: number, before?: string): { said: readonly Statement[]; earlier: number } {
    const all = this.all()
    const place = before === undefined ? all.length : all.findLastIndex(({ id }) => id === before)
    const end = Math.max(0, place)
    let start = end
    let room: number = LIMITS.answerBytes
    while (start > 0 && end - start < most && (room > 0 || start === end))
      room -= lengthOf(all[--start] as Statement)
    return { said: all.slice(start, end), earlier: start }
  }
}

/** The approximate length of the statement as text. */
const lengthOf = oncePer(
  ({ body, content }: Statement): number => JSON.stringify([body, content?.value]).length,
)
