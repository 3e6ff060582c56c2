import type { Statement } from '../../../domain/statements/statement.ts'
import type { ProjectStatements } from '../../../domain/views/project-statements.ts'
import { isWide } from '../../../domain/views/statement-index.ts'
import { bareOf } from '../journal/entry.ts'

type Undo = () => void

/**
 * Statements of a project that somebody redacted and whose content is still here, because the redaction had no effect
 * so far. Whether it has one now is looked at once for all that was decided together: that costs the most where it was
 * said who speaks for whom.
 */
export class RedactedParts {
  readonly #said: ProjectStatements
  readonly #changed: (about: string) => void
  /** Their ids, by what they are about. */
  readonly #ids = new Map<string, Set<string>>()
  /** Of these anything was said since. */
  readonly #touched = new Set<string>()
  #isWide = false
  /** How often all was folded anew when all of them were looked at. */
  #foldings = 0

  /** `changed` is told of what something was put in its place, or taken out of it. */
  constructor(said: ProjectStatements, changed: (about: string) => void) {
    this.#said = said
    this.#changed = changed
  }

  /** Something that was just put in its place. */
  look(statement: Statement): void {
    const { kind, about, id, body } = statement
    if (kind === 'redaction') this.#note(about, String(body['of']))
    else if (statement.content !== undefined && hasAny(this.#said.redactionsOf(id))) this.#note(about, id)
    if (this.#ids.size === 0) return
    if (isWide(statement)) this.#isWide = true
    else if (kind === 'redaction' || kind === 'revision' || kind === 'answer' || kind === 'packet')
      this.#touched.add(about)
  }

  /** Takes the contents away that redactions with an effect are about. Nothing that is seen changes by it. */
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

  /** Those that may be others than when they were looked at before. */
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
    const ids = this.#ids.get(about) ?? new Set()
    this.#ids.set(about, ids.add(id))
  }

  #forget(about: string, id: string): void {
    const ids = this.#ids.get(about)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(about)
  }
}

function hasAny(all: Iterable<unknown>): boolean {
  for (const _ of all) return true
  return false
}
