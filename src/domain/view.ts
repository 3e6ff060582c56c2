import type {
  Acked,
  Answer,
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
} from './model.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken } from './trust.ts'
import type { UsedToken } from './used-token.ts'

/** Read access to one kind of thing, in order of creation (repos: of name), then id: the same on every replica. */
export interface Shelf<Value> {
  readonly size: number
  get(id: string): Value | undefined
  /** Oldest first; with `after`, from the entry that follows that id on. An unknown `after` yields nothing. */
  oldestFirst(after?: string): Iterable<Value>
  newestFirst(): Iterable<Value>
}

/** One project with all its parts. Whenever any of them but a receipt changes, it is another object. */
export interface ProjectView {
  readonly project: Project
  readonly repos: Shelf<Repo>
  readonly contracts: Shelf<Contract>
  readonly packets: Shelf<Packet>
  /** By repo. */
  readonly receipts: Shelf<Receipt>
  /** Packets whose reply_to is this id, oldest first. */
  repliesTo(packetId: string): Iterable<Packet>
  /** Packets that name the file of this hash, oldest first. */
  packetsNaming(sha256: string): Iterable<Packet>
  /** The place of its last change in the order of this store; undefined when it is not here. */
  seqOf(kind: 'repo' | 'contract' | 'packet', id: string): number | undefined
}

/** A file that is on this daemon's disk. */
export interface StoredFile {
  readonly sha256: string
  readonly size: number
}

/** Everything a decision may look at. */
export interface View {
  readonly projects: Shelf<ProjectView>
  readonly peers: Shelf<Peer>
  readonly links: Shelf<LinkState>
  readonly marks: Shelf<Mark>
  readonly shadows: Shelf<Shadow>
  /** By their hash. */
  readonly keys: Shelf<ApiKey>
  /** By the agent that gave them. */
  readonly credentials: Shelf<Credential>
  /** Oldest first. */
  readonly invites: Shelf<Invite>
  /** Oldest first. */
  readonly tokens: Shelf<IssuedToken>
  readonly guests: Shelf<Guest>
  /** By their AID, oldest first. Only an exchange has any. */
  readonly agents: Shelf<RegisteredAgent>
  /** By agent. */
  readonly acks: Shelf<Acked>
  /** Those that end first come first. */
  readonly usedTokens: Shelf<UsedToken>
  /** By file and party, oldest first. */
  readonly uploads: Shelf<Upload>
  /** By project and packet. */
  readonly namings: Shelf<Naming>
  /** Projects with a packet that names the file of this hash. */
  projectsNaming(sha256: string): Iterable<ProjectView>
  answer(key: string): Answer | undefined
  /** Size in bytes of a stored file, undefined when it is not here. */
  fileSize(sha256: string): number | undefined
}
