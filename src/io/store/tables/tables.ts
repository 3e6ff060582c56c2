import type { LocalChange } from '../../../domain/change.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import type { ProjectView } from '../../../domain/view.ts'
import type { SequencedStatement } from '../../../engine/ports/ports.ts'
import type { Stamp } from '../../../protocol/stamp.ts'
import { FileNames } from '../files/names.ts'
import {
  type DropEntry,
  type Entry,
  isDrop,
  isShared,
  type LocalEntry,
  type SharedEntry,
} from '../journal/entry.ts'
import { type AnswerTable, createAnswerTable } from './answers.ts'
import { NameIndex } from './name-index.ts'
import { ProjectParts, ProjectTables } from './project-tables.ts'
import type { Undo } from './redacted-contents.ts'
import { SortedTable } from './sorted-table.ts'

type RowOf<Name extends LocalChange['table']> = NonNullable<Extract<LocalChange, { table: Name }>['value']>

/** The rows of one local table. Without a rank they are sorted by id. */
class LocalTable<Name extends LocalChange['table']> extends SortedTable<RowOf<Name>, LocalEntry> {
  readonly #rankOf: (row: RowOf<Name>) => string

  constructor(rankOf: (row: RowOf<Name>) => string = () => '') {
    super()
    this.#rankOf = rankOf
  }

  /** The entry must be of this table. Returns a function that undoes it. */
  apply(entry: LocalEntry): Undo {
    const { id } = entry
    const value = entry.value as RowOf<Name> | null
    const before = this.item(id)
    const after = value === null ? undefined : { id, rank: this.#rankOf(value), value, entry }
    this.swap(before, after)
    return () => this.swap(after, before)
  }
}

/** The whole state in memory. A change costs the same whether there are a hundred entities or a million. */
export class Tables {
  readonly projects = new SortedTable<ProjectTables>()
  readonly local = {
    peer: new LocalTable<'peer'>(({ registered_at }) => registered_at),
    link: new LocalTable<'link'>(),
    hub: new LocalTable<'hub'>(),
    shadow: new LocalTable<'shadow'>(),
    key: new LocalTable<'key'>(),
    credential: new LocalTable<'credential'>(),
    invite: new LocalTable<'invite'>(({ created_at }) => created_at),
    token: new LocalTable<'token'>(({ issued_at }) => issued_at),
    session: new LocalTable<'session'>(({ created_at }) => created_at),
    guest: new LocalTable<'guest'>(({ since }) => since),
    agent: new LocalTable<'agent'>(({ registered_at }) => registered_at),
    ack: new LocalTable<'ack'>(),
    used: new LocalTable<'used'>(({ until }) => until),
    upload: new LocalTable<'upload'>(({ at }) => at),
    naming: new LocalTable<'naming'>(),
    current: new LocalTable<'current'>(),
  }
  readonly answers: AnswerTable
  readonly #fileNames = new FileNames()
  readonly #names = new NameIndex()
  /** Projects that got a statement since redacted contents were last removed. */
  readonly #touched = new Set<ProjectParts>()
  #seq = 0
  #statements = 0

  constructor(now: () => Stamp) {
    this.answers = createAnswerTable(now)
  }

  /** The sequence number of the newest change. */
  get seq(): number {
    return this.#seq
  }

  /** How many statements are stored. */
  get statements(): number {
    return this.#statements
  }

  /** The entity that a stored statement changes, as the feed and replication get it. */
  changeBy(entry: SharedEntry): SequencedStatement {
    const found = this.projects.get(entry.statement.project_id)
    if (found === undefined) throw new TypeError('a statement is kept with its project')
    return found.parts.changeBy(entry)
  }

  *projectsCalled(name: string): Iterable<ProjectView> {
    for (const id of this.#names.idsOf(name)) {
      const found = this.projects.get(id)
      if (found?.project.name === name) yield found
    }
  }

  /** The projects with a packet that names the file of this hash. */
  *projectsNaming(sha256: string): Iterable<ProjectView> {
    for (const projectId of this.#fileNames.projectsNaming(sha256)) {
      const found = this.projects.get(projectId)
      if (found !== undefined) yield found
    }
  }

  /**
   * Returns a function that undoes the change; several have to be undone in reverse order. Undefined when the entry
   * changes nothing, for instance because the snapshot holds it already.
   */
  apply(entry: Entry): Undo | undefined {
    if (isDrop(entry)) return this.#applyDrop(entry)
    return isShared(entry) ? this.#applyShared(entry) : this.#applyLocal(entry)
  }

  /**
   * Applies an entry of a journal. Statements of a project that is not here are skipped: a later frame has dropped
   * that project, so the snapshot does not hold it.
   */
  replay(entry: Entry): void {
    const needsProject = isShared(entry) && entry.statement.kind !== 'project'
    if (!needsProject || this.projects.get(entry.statement.project_id) !== undefined) this.apply(entry)
  }

  /**
   * Removes redacted contents after all entries of a decision were applied. Returns a function that restores them.
   */
  strip(): Undo {
    const undos = Array.from(this.#touched, (parts) => parts.redacted.strip())
    this.#touched.clear()
    return () => {
      for (const undo of undos.reverse()) undo()
    }
  }

  /** References to all that is stored: a snapshot is written from them. */
  copyEntries(): { entities: SharedEntry[]; local: LocalEntry[] } {
    const local: LocalEntry[] = []
    for (const table of Object.values(this.local)) for (const item of table.items()) local.push(item.entry)
    for (const answer of this.answers.entries()) local.push(answer)
    return { entities: [...this.keptStatements()], local }
  }

  /** Each project before its parts, and each statement after those it cites. */
  *keptStatements(): Iterable<SharedEntry> {
    for (const { value } of this.projects.items()) yield* value.said.kept()
  }

  #applyShared(entry: SharedEntry): Undo | undefined {
    const { statement, seq } = entry
    const { project_id: id, kind } = statement
    const known = this.projects.item(id)
    if (known === undefined && kind !== 'project')
      throw new TypeError(`A ${kind} came for project ${id}, which is not here`)
    const parts = known?.value.parts ?? new ProjectParts(id, this.#fileNames)
    if (!parts.said.isNews(statement)) return undefined
    const before = { seq: this.#seq, statements: this.#statements, size: parts.said.size }
    const unput = parts.put(entry)
    const unname = this.#names.add(nameGivenBy(statement), id)
    this.#touched.add(parts)
    this.#seq = Math.max(before.seq, seq)
    this.#statements += parts.said.size - before.size
    if (kind !== 'sighting') this.#renew(id, parts)
    return () => {
      unput()
      unname()
      this.#seq = before.seq
      this.#statements = before.statements
      if (known === undefined) this.projects.swap(this.projects.item(id), undefined)
      else this.#renew(id, parts)
    }
  }

  /** Removing the last statement of a project removes the project. */
  #applyDrop({ project_id: id, drop, seq }: DropEntry): Undo | undefined {
    const known = this.projects.item(id)
    const undrop = known?.value.parts.drop(drop, seq)
    if (known === undefined || undrop === undefined) return undefined
    const { parts } = known.value
    const before = { seq: this.#seq, statements: this.#statements }
    this.#seq = Math.max(before.seq, seq)
    this.#statements--
    if (parts.said.size === 0) this.projects.swap(known, undefined)
    else this.#renew(id, parts)
    return () => {
      undrop()
      this.#seq = before.seq
      this.#statements = before.statements
      this.#renew(id, parts)
    }
  }

  /** Makes a new object for the project, because others cache values by that object. */
  #renew(id: string, parts: ProjectParts): void {
    const rank = parts.said.founding?.at ?? ''
    const value = new ProjectTables(parts)
    this.projects.swap(this.projects.item(id), { id, rank, value, entry: undefined })
  }

  #applyLocal(entry: LocalEntry): Undo {
    if (entry.table !== 'answer') return this.local[entry.table].apply(entry)
    const { table, id } = entry
    const before = this.answers.entry(id) ?? { table, id, value: null, bytes: 0 }
    this.answers.put(entry)
    return () => this.answers.put(before)
  }
}

/** The name that this statement gives its project; whether that name counts is decided by all its statements. */
function nameGivenBy({ kind, body }: Statement): string | undefined {
  if (kind === 'project') return String(body['name'])
  return kind === 'title' && body['field'] === 'name' ? String(body['value']) : undefined
}
