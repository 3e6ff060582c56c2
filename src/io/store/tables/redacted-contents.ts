import type { Statement } from '../../../domain/statements/statement.ts'
import type { ProjectStatements } from '../../../domain/views/project-statements.ts'
import { isWide } from '../../../domain/views/statement-index.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { isAny } from '../../../protocol/collections/iterables.ts'
import { bareOf } from '../journal/entry.ts'

export type Undo = () => void

/**
 * Statements of a project that were redacted and whose content is still here, because the redaction has no effect so
 * far: it may come before the statements by which its author may redact. Whether it has an effect now is checked once
 * for all statements of a decision: that is expensive when they change who speaks for a repository.
 */
export class RedactedContents {
  readonly #said: ProjectStatements
  readonly #changed: (about: string) => void
  /** The ids of such statements, by the entity they are about. */
  readonly #ids = new Map<string, Set<string>>()
  /** Entities among them that a statement has changed since the last check. */
  readonly #touched = new Set<string>()
  #isWide = false
  /** The value of `foldings()` when all of them were checked last. */
  #foldings = 0

  /** `changed` is called with the entity of which a content was removed or restored. */
  constructor(said: ProjectStatements, changed: (about: string) => void) {
    this.#said = said
    this.#changed = changed
  }

  /** To be called for every statement that was added. */
  added(statement: Statement): void {
    const { kind, about, id, body } = statement
    if (kind === 'redaction') this.#note(about, String(body['of']))
    else if (statement.content !== undefined && isAny(this.#said.redactionsOf(id))) this.#note(about, id)
    if (this.#ids.size === 0) return
    if (isWide(statement)) this.#isWide = true
    else if (kind === 'redaction' || kind === 'revision' || kind === 'answer' || kind === 'packet')
      this.#touched.add(about)
  }

  /** Removes the contents of statements with an effective redaction. Views show the same before and after. */
  strip(): Undo {
    const undos: Undo[] = []
    for (const about of this.#abouts()) {
      for (const id of this.#ids.get(about) ?? []) {
        const statement = this.#said.fact(id)
        const kept = statement?.content === undefined ? undefined : this.#said.inPlaceOf(statement)
        if (kept !== undefined && !this.#said.isTakenAway(kept.statement)) continue
        this.#forget(about, id)
        if (kept === undefined) continue
        const unput = this.#said.put(bareOf(kept))
        this.#changed(about)
        undos.push(() => {
          unput()
          this.#note(about, id)
          this.#changed(about)
        })
      }
    }
    return () => {
      for (const undo of undos.reverse()) undo()
    }
  }

  /** The entities for which a redaction may have an effect that it had not at the last check. */
  #abouts(): string[] {
    const touched = [...this.#touched]
    const isWide = this.#isWide && this.#ids.size > 0 && this.#said.foldings() !== this.#foldings
    this.#touched.clear()
    this.#isWide = false
    if (!isWide) return touched
    this.#foldings = this.#said.foldings()
    return [...this.#ids.keys()]
  }

  #note(about: string, id: string): void {
    if (this.#said.fact(id)?.content === undefined) return
    getOrAdd(this.#ids, about, () => new Set()).add(id)
  }

  #forget(about: string, id: string): void {
    const ids = this.#ids.get(about)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(about)
  }
}
