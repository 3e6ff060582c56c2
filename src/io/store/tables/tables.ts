import type { RegisteredAgent } from '../../../domain/adp/registered-agent.ts'
import type { Acked, CurrentProject, LinkState, Naming, Peer, Shadow, Upload } from '../../../domain/model.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken } from '../../../domain/trust/trust.ts'
import type { UsedToken } from '../../../domain/trust/used-token.ts'
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
import { AnswerTable } from './answers.ts'
import { NameIndex } from './name-index.ts'
import { ProjectParts, ProjectTables } from './project-tables.ts'
import { SortedShelf } from './shelf.ts'

export type Undo = () => void

/** The whole state in memory. A change costs the same whether there are a hundred entities or a million. */
export class Tables {
  readonly projects = new SortedShelf<ProjectTables>()
  readonly peers = new SortedShelf<Peer, LocalEntry>()
  readonly links = new SortedShelf<LinkState, LocalEntry>()
  readonly shadows = new SortedShelf<Shadow, LocalEntry>()
  readonly keys = new SortedShelf<ApiKey, LocalEntry>()
  readonly credentials = new SortedShelf<Credential, LocalEntry>()
  readonly invites = new SortedShelf<Invite, LocalEntry>()
  readonly tokens = new SortedShelf<IssuedToken, LocalEntry>()
  readonly guests = new SortedShelf<Guest, LocalEntry>()
  readonly agents = new SortedShelf<RegisteredAgent, LocalEntry>()
  readonly acks = new SortedShelf<Acked, LocalEntry>()
  readonly usedTokens = new SortedShelf<UsedToken, LocalEntry>()
  readonly uploads = new SortedShelf<Upload, LocalEntry>()
  readonly namings = new SortedShelf<Naming, LocalEntry>()
  readonly currents = new SortedShelf<CurrentProject, LocalEntry>()
  readonly answers: AnswerTable
  readonly #fileNames = new FileNames()
  readonly #names = new NameIndex()
  /** Projects that something was said in since contents were last taken away. */
  readonly #touched = new Set<ProjectParts>()
  #seq = 0
  #statements = 0

  constructor(now: () => Stamp) {
    this.answers = new AnswerTable(now)
  }

  /** The newest change's. */
  get seq(): number {
    return this.#seq
  }

  /** How many are kept. */
  get statements(): number {
    return this.#statements
  }

  /** What a kept statement changes. */
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

  /** Those with a packet that names the file of this hash. */
  *projectsNaming(sha256: string): Iterable<ProjectView> {
    for (const projectId of this.#fileNames.projectsNaming(sha256)) {
      const found = this.projects.get(projectId)
      if (found !== undefined) yield found
    }
  }

  /**
   * Returns what takes the change back; several are taken back in reverse order. Undefined when it changes nothing, as
   * what a journal tells that goes on from before its snapshot.
   */
  apply(entry: Entry): Undo | undefined {
    if (isDrop(entry)) return this.#applyDrop(entry)
    return isShared(entry) ? this.#applyShared(entry) : this.#applyLocal(entry)
  }

  /** What a journal tells; its snapshot may lack a project that is dropped further on in it. */
  replay(entry: Entry): void {
    const isLost = isShared(entry) && entry.statement.kind !== 'project'
    if (!isLost || this.projects.get(entry.statement.project_id) !== undefined) this.apply(entry)
  }

  /** Takes contents away after all of one decision was applied. Returns what brings them back. */
  strip(): Undo {
    const undos = Array.from(this.#touched, (parts) => parts.redacted.strip())
    this.#touched.clear()
    return () => {
      for (const undo of undos.reverse()) undo()
    }
  }

  /** References to all that is kept: what a snapshot is written from. */
  copyEntries(): { entities: SharedEntry[]; local: LocalEntry[] } {
    const local: LocalEntry[] = []
    for (const shelf of this.#localShelves()) {
      for (const item of shelf.items()) local.push(item.entry)
    }
    for (const answer of this.answers.entries()) local.push(answer)
    return { entities: [...this.keptStatements()], local }
  }

  /** Each project before its parts, and each statement after what it cites. */
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

  /** Without its last statement, a project is here no more. */
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

  /** What somebody keeps of a project by its object must not outlive a change of its parts. */
  #renew(id: string, parts: ProjectParts): void {
    const rank = parts.said.founding?.at ?? ''
    const value = new ProjectTables(parts)
    this.projects.swap(this.projects.item(id), { id, rank, value, entry: undefined })
  }

  #applyLocal(entry: LocalEntry): Undo {
    const { id } = entry
    switch (entry.table) {
      case 'peer':
        return this.#applyRow(this.peers, entry, entry.value, entry.value?.registered_at)
      case 'link':
        return this.#applyRow(this.links, entry, entry.value)
      case 'shadow':
        return this.#applyRow(this.shadows, entry, entry.value)
      case 'key':
        return this.#applyRow(this.keys, entry, entry.value)
      case 'credential':
        return this.#applyRow(this.credentials, entry, entry.value)
      case 'invite':
        return this.#applyRow(this.invites, entry, entry.value, entry.value?.created_at)
      case 'token':
        return this.#applyRow(this.tokens, entry, entry.value, entry.value?.issued_at)
      case 'guest':
        return this.#applyRow(this.guests, entry, entry.value, entry.value?.since)
      case 'agent':
        return this.#applyRow(this.agents, entry, entry.value, entry.value?.registered_at)
      case 'ack':
        return this.#applyRow(this.acks, entry, entry.value)
      case 'used':
        return this.#applyRow(this.usedTokens, entry, entry.value, entry.value?.until)
      case 'upload':
        return this.#applyRow(this.uploads, entry, entry.value, entry.value?.at)
      case 'naming':
        return this.#applyRow(this.namings, entry, entry.value)
      case 'current':
        return this.#applyRow(this.currents, entry, entry.value)
      case 'answer': {
        const before = this.answers.entry(id) ?? { table: 'answer', id, value: null, bytes: 0 }
        this.answers.put(entry)
        return () => this.answers.put(before)
      }
      default:
        return entry satisfies never
    }
  }

  /** Without a rank the order of the table means nothing. */
  #applyRow<Value>(
    shelf: SortedShelf<Value, LocalEntry>,
    entry: LocalEntry,
    value: Value | null,
    rank = '',
  ): Undo {
    const { id } = entry
    const before = shelf.item(id)
    const after = value === null ? undefined : { id, rank, value, entry }
    shelf.swap(before, after)
    return () => shelf.swap(after, before)
  }

  #localShelves(): readonly SortedShelf<unknown, LocalEntry>[] {
    return [
      this.peers,
      this.links,
      this.shadows,
      this.keys,
      this.credentials,
      this.invites,
      this.tokens,
      this.guests,
      this.agents,
      this.acks,
      this.usedTokens,
      this.uploads,
      this.namings,
      this.currents,
    ]
  }
}

/** How a project is called from this statement on, if it counts and nothing newer says otherwise. */
function nameGivenBy({ kind, body }: Statement): string | undefined {
  if (kind === 'project') return String(body['name'])
  return kind === 'title' && body['field'] === 'name' ? String(body['value']) : undefined
}
