import type { Acked, LinkState, Naming, Peer, Shadow, Upload } from '../../domain/model.ts'
import type { RegisteredAgent } from '../../domain/registered-agent.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken } from '../../domain/trust.ts'
import type { UsedToken } from '../../domain/used-token.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { SequencedStatement } from '../../engine/ports.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { AnswerTable } from './answers.ts'
import { type Entry, isShared, type LocalEntry, type SharedEntry } from './entry.ts'
import { FileNames } from './file-names.ts'
import { ProjectParts, ProjectTables } from './project-tables.ts'
import type { Quota } from './quota.ts'
import { type Item, SortedShelf } from './shelf.ts'

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
  readonly answers: AnswerTable
  readonly #fileNames = new FileNames()
  readonly #quota: Quota
  #seq = 0

  constructor(quota: Quota, now: () => Stamp) {
    this.#quota = quota
    this.answers = new AnswerTable(quota, now)
  }

  /** The newest change's. */
  get seq(): number {
    return this.#seq
  }

  get statements(): number {
    let count = 0
    for (const { value } of this.projects.items()) count += value.said.size
    return count
  }

  /** What a kept statement changes. */
  changeBy(entry: SharedEntry): SequencedStatement {
    const found = this.projects.get(entry.statement.project_id)
    if (found === undefined) throw new TypeError('a statement is kept with its project')
    return found.parts.changeBy(entry)
  }

  /** Those with a packet that names the file of this hash. */
  *projectsNaming(sha256: string): Iterable<ProjectView> {
    for (const projectId of this.#fileNames.projectsNaming(sha256)) {
      const found = this.projects.get(projectId)
      if (found !== undefined) yield found
    }
  }

  /** Returns what takes the change back; several are taken back in reverse order. */
  apply(entry: Entry): Undo {
    return isShared(entry) ? this.#applyShared(entry) : this.#applyLocal(entry)
  }

  /** References to all that is kept, each project before its parts: what a snapshot is written from. */
  copyEntries(): { entities: SharedEntry[]; local: LocalEntry[] } {
    const entities: SharedEntry[] = []
    for (const { value } of this.projects.items()) for (const kept of value.said.kept()) entities.push(kept)
    const local: LocalEntry[] = []
    for (const shelf of this.#localShelves()) {
      for (const item of shelf.items()) local.push(item.entry)
    }
    for (const answer of this.answers.entries()) local.push(answer)
    return { entities, local }
  }

  /** Told again, as when a journal goes on from before its snapshot, it changes nothing. */
  #applyShared(entry: SharedEntry): Undo {
    const { statement } = entry
    const known = this.projects.item(statement.project_id)
    const parts = known?.value.parts ?? new ProjectParts(statement.project_id, this.#fileNames)
    if (known === undefined && statement.kind !== 'project')
      throw new TypeError(`A ${statement.kind} came for project ${statement.project_id}, which is not here`)
    if (!parts.said.isNews(statement)) return () => {}
    const seqBefore = this.#seq
    const sizeBefore = parts.said.bytes
    const unput = parts.put(entry)
    this.#seq = Math.max(seqBefore, entry.seq)
    this.#quota.used += parts.said.bytes - sizeBefore
    if (known === undefined || statement.kind !== 'sighting') this.#renew(parts)
    return () => {
      const size = parts.said.bytes
      unput()
      this.#seq = seqBefore
      this.#quota.used += parts.said.bytes - size
      if (known === undefined) this.projects.swap(this.projects.item(statement.project_id), undefined)
      else this.#renew(parts)
    }
  }

  /** What somebody keeps of a project by its object must not outlive a change of its parts. */
  #renew(parts: ProjectParts): void {
    const { founding } = parts.said
    if (founding === undefined) return
    const { project_id: id, at: rank } = founding
    this.projects.swap(this.projects.item(id), {
      id,
      rank,
      value: new ProjectTables(parts),
      entry: undefined,
    })
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
    return this.#swap(shelf, shelf.item(id), value === null ? undefined : { id, rank, value, entry })
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
    ]
  }

  #swap<Value>(
    shelf: SortedShelf<Value, LocalEntry>,
    before: Item<Value, LocalEntry> | undefined,
    after: Item<Value, LocalEntry> | undefined,
  ): Undo {
    const exchange = (off: typeof before, on: typeof after) => {
      shelf.swap(off, on)
      this.#count(off, -1)
      this.#count(on, 1)
    }
    exchange(before, after)
    return () => exchange(after, before)
  }

  #count(item: { readonly entry: LocalEntry } | undefined, times: 1 | -1): void {
    if (item === undefined) return
    this.#quota.used += times * item.entry.bytes
  }
}
