import type {
  Acked,
  Contract,
  LinkState,
  Mark,
  Naming,
  Packet,
  Peer,
  Project,
  Receipt,
  Repo,
  Shadow,
  Upload,
} from '../../domain/model.ts'
import type { RegisteredAgent } from '../../domain/registered-agent.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken } from '../../domain/trust.ts'
import type { UsedToken } from '../../domain/used-token.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { AnswerTable } from './answers.ts'
import { type Entry, isShared, type LocalEntry, type SharedEntry } from './entry.ts'
import { FileNames } from './file-names.ts'
import { PacketShelf } from './packet-shelf.ts'
import type { Quota } from './quota.ts'
import { type Item, SortedShelf } from './shelf.ts'

export type Undo = () => void

interface Parts {
  readonly repos: SortedShelf<Repo, SharedEntry>
  readonly contracts: SortedShelf<Contract, SharedEntry>
  readonly packets: PacketShelf
  readonly receipts: SortedShelf<Receipt, SharedEntry>
}

/** A project and its parts. After every change but of a receipt it is another object over the same shelves. */
class ProjectTables implements ProjectView, Parts {
  readonly project: Project
  readonly repos: Parts['repos']
  readonly contracts: Parts['contracts']
  readonly packets: Parts['packets']
  readonly receipts: Parts['receipts']

  constructor(project: Project, parts: Parts) {
    this.project = project
    this.repos = parts.repos
    this.contracts = parts.contracts
    this.packets = parts.packets
    this.receipts = parts.receipts
  }

  repliesTo(packetId: string): Iterable<Packet> {
    return this.packets.repliesTo(packetId)
  }

  packetsNaming(sha256: string): Iterable<Packet> {
    return this.packets.naming(sha256)
  }

  seqOf(kind: 'repo' | 'contract' | 'packet', id: string): number | undefined {
    const shelf = { repo: this.repos, contract: this.contracts, packet: this.packets }[kind]
    return shelf.item(id)?.entry.seq
  }
}

/** The whole state in memory. A change costs the same whether there are a hundred entities or a million. */
export class Tables {
  readonly projects = new SortedShelf<ProjectTables, SharedEntry>()
  readonly peers = new SortedShelf<Peer, LocalEntry>()
  readonly links = new SortedShelf<LinkState, LocalEntry>()
  readonly marks = new SortedShelf<Mark, LocalEntry>()
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
  #entities = 0

  constructor(quota: Quota, now: () => Stamp) {
    this.#quota = quota
    this.answers = new AnswerTable(quota, now)
  }

  /** The newest change's. */
  get seq(): number {
    return this.#seq
  }

  get entities(): number {
    return this.#entities
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
    for (const { entry, value } of this.projects.items()) {
      entities.push(entry)
      for (const shelf of [value.repos, value.contracts, value.packets, value.receipts]) {
        for (const item of shelf.items()) entities.push(item.entry)
      }
    }
    const local: LocalEntry[] = []
    for (const shelf of this.#localShelves()) {
      for (const item of shelf.items()) local.push(item.entry)
    }
    for (const answer of this.answers.entries()) local.push(answer)
    return { entities, local }
  }

  #applyShared(entry: SharedEntry): Undo {
    const seqBefore = this.#seq
    const unplace = this.#place(entry)
    this.#seq = Math.max(seqBefore, entry.seq)
    return () => {
      unplace()
      this.#seq = seqBefore
    }
  }

  #place(entry: SharedEntry): Undo {
    const { id } = entry
    const known = this.projects.item(entry.project_id)
    if (entry.kind === 'project') {
      const parts = known?.value ?? emptyParts(id, this.#fileNames)
      const value = new ProjectTables(entry.value, parts)
      return this.#swap(this.projects, known, { id, rank: entry.value.created_at, value, entry })
    }
    if (known === undefined)
      throw new TypeError(`A ${entry.kind} came for project ${entry.project_id}, which is not here`)
    const unplace = this.#placePart(known.value, entry)
    // No receipt is shown with its project, which stays good to be shown again.
    if (entry.kind === 'receipt') return unplace
    this.#renew(entry.project_id)
    return () => {
      unplace()
      this.#renew(entry.project_id)
    }
  }

  /** What somebody keeps of a project by its object must not outlive a change of its parts. */
  #renew(projectId: string): void {
    const item = this.projects.item(projectId)
    if (item === undefined) return
    const { project } = item.value
    this.projects.swap(item, { ...item, value: new ProjectTables(project, item.value) })
  }

  #placePart(
    { repos, contracts, packets, receipts }: Parts,
    entry: Exclude<SharedEntry, { kind: 'project' }>,
  ): Undo {
    const { id } = entry
    switch (entry.kind) {
      case 'repo':
        return this.#swap(repos, repos.item(id), { id, rank: entry.value.name, value: entry.value, entry })
      case 'contract':
        return this.#swap(contracts, contracts.item(id), {
          id,
          rank: entry.value.created_at,
          value: entry.value,
          entry,
        })
      case 'packet':
        return this.#swap(packets, packets.item(id), {
          id,
          rank: entry.value.timestamp,
          value: entry.value,
          entry,
        })
      case 'receipt':
        return this.#swap(receipts, receipts.item(id), { id, rank: '', value: entry.value, entry })
      default:
        return entry satisfies never
    }
  }

  #applyLocal(entry: LocalEntry): Undo {
    const { id } = entry
    switch (entry.table) {
      case 'peer':
        return this.#applyRow(this.peers, entry, entry.value, entry.value?.registered_at)
      case 'link':
        return this.#applyRow(this.links, entry, entry.value)
      case 'mark':
        return this.#applyRow(this.marks, entry, entry.value)
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
      this.marks,
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

  #swap<Value, E extends Entry>(
    shelf: SortedShelf<Value, E>,
    before: Item<Value, E> | undefined,
    after: Item<Value, E> | undefined,
  ): Undo {
    const exchange = (off: typeof before, on: typeof after) => {
      shelf.swap(off, on)
      this.#count(off, -1)
      this.#count(on, 1)
    }
    exchange(before, after)
    return () => exchange(after, before)
  }

  #count(item: { readonly entry: Entry } | undefined, times: 1 | -1): void {
    if (item === undefined) return
    this.#quota.used += times * item.entry.bytes
    if (isShared(item.entry)) this.#entities += times
  }
}

const emptyParts = (projectId: string, fileNames: FileNames): Parts => ({
  repos: new SortedShelf(),
  contracts: new SortedShelf(),
  packets: new PacketShelf(projectId, fileNames),
  receipts: new SortedShelf(),
})
