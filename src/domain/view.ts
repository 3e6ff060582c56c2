import type { Stamp } from '../protocol/stamp.ts'
import type { RegisteredAgent } from './adp/registered-agent.ts'
import type { HubRecord } from './hub/record.ts'
import type { Acked, Answer, CurrentProject, LinkState, Naming, Peer, Shadow, Upload } from './model.ts'
import type { Statement } from './statements/statement.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken, UiSession } from './trust/trust.ts'
import type { UsedToken } from './trust/used-token.ts'
import type {
  ContractEntity,
  LostClaim,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
  Sighting,
} from './views/entities.ts'
import type { Volume } from './views/statement-index.ts'

/** Read access to one table, in order of creation (repos: of name), then id: the same order on every replica. */
export interface OrderedTable<Value> {
  readonly size: number
  get(id: string): Value | undefined
  /** Oldest first; with `after`, from the entry that follows that id on. An unknown `after` yields nothing. */
  oldestFirst(after?: string): Iterable<Value>
  newestFirst(): Iterable<Value>
  /** Entries whose id starts with the prefix. Scans all ids, but reads no other entries. */
  beginningWith(prefix: string): Iterable<Value>
}

/** One project with all its parts. It is a new object after every change, except after a receipt. */
export interface ProjectView {
  readonly project: ProjectEntity
  readonly repos: OrderedTable<RepoEntity>
  readonly contracts: OrderedTable<ContractEntity>
  readonly packets: OrderedTable<PacketEntity>
  /** Contracts of exactly this name, found without a scan. */
  contractsCalled(name: string): Iterable<ContractEntity>
  /** Questions that were not redacted, by what they ask (see `questionName`). */
  questionsCalled(name: string): Iterable<PacketEntity>
  /** Which repos' agents have read a contract or packet: the newest receipt of each repo. */
  sightingsOf(id: string): readonly Sighting[]
  /** Packets whose reply_to is this id, oldest first. */
  repliesTo(packetId: string): Iterable<PacketEntity>
  /** Packets that name the file of this hash, oldest first. */
  packetsNaming(sha256: string): Iterable<PacketEntity>
  /** The number of its last change in the order of this store; undefined when it is not here. */
  seqOf(kind: 'repo' | 'contract' | 'packet', id: string): number | undefined
  /** The newest time of all statements about an entity, whether they count or not. */
  newestAbout(id: string): Stamp | undefined
  /** The statements from which everything above is derived. */
  readonly said: SaidInProject
}

/** The admitted statements of a project. */
export interface SaidInProject extends Iterable<Statement> {
  readonly size: number
  /** The project statement that counts. */
  readonly founding: Statement | undefined
  fact(id: string): Statement | undefined
  /** The kept statement with this id: a fact, or the newest one of a register. */
  get(id: string): Statement | undefined
  /** What is kept in the place of this statement: itself, or another one of the same register. */
  inPlaceOf(statement: Statement): { readonly statement: Statement } | undefined
  /** Whether adding it would change anything: it is neither known nor older than what is kept in its place. */
  isNews(statement: Statement): boolean
  /** Ids of statements whose content was added or removed after they were admitted, in that order. */
  readonly contentChanges: readonly string[]
  /** Number of keys with statements here that the founder has not confirmed; an estimate that needs no scan. */
  readonly unconfirmedKeys: number
  /** The statements of one kind about an entity, whether they count or not. */
  saidAbout(id: string, kind: string): Iterable<Statement>
  /** Admitted redactions of this statement. */
  redactionsOf(id: string): Iterable<Statement>
  /** Number and size of a key's statements. */
  volumeOf(key: string): Volume
  /** All claims that a settlement ended. */
  lostClaims(): Iterable<LostClaim>
  /** The newest time among the statements of a key. */
  newestBy(key: string): Stamp | undefined
}

/** A file that is on this daemon's disk. */
export interface StoredFile {
  readonly sha256: string
  readonly size: number
}

/** The state that a decision may read. */
export interface View {
  readonly projects: OrderedTable<ProjectView>
  readonly peers: OrderedTable<Peer>
  readonly links: OrderedTable<LinkState>
  /** How far the hub was read; at most one row. */
  readonly hubs: OrderedTable<HubRecord>
  readonly shadows: OrderedTable<Shadow>
  /** By key hash. */
  readonly keys: OrderedTable<ApiKey>
  /** By the agent that issued them to this daemon. */
  readonly credentials: OrderedTable<Credential>
  readonly invites: OrderedTable<Invite>
  readonly tokens: OrderedTable<IssuedToken>
  /** By session id, oldest first. */
  readonly sessions: OrderedTable<UiSession>
  readonly guests: OrderedTable<Guest>
  /** By their AID, oldest first. Only a daemon that is an exchange has any. */
  readonly agents: OrderedTable<RegisteredAgent>
  /** By whose they are (see `ownerOf`), like the current projects below. */
  readonly acks: OrderedTable<Acked>
  /** Those that expire first come first. */
  readonly usedTokens: OrderedTable<UsedToken>
  /** By file and party, oldest first. */
  readonly uploads: OrderedTable<Upload>
  /** By project and packet. */
  readonly namings: OrderedTable<Naming>
  readonly currents: OrderedTable<CurrentProject>
  /** Projects of exactly this name, found without a scan. */
  projectsCalled(name: string): Iterable<ProjectView>
  /** Projects with a packet that names the file of this hash. */
  projectsNaming(sha256: string): Iterable<ProjectView>
  answer(key: string): Answer | undefined
  /** All stored answers that have not expired. */
  answers(): Iterable<Answer>
  /** Size in bytes of a stored file, undefined when it is not here. */
  fileSize(sha256: string): number | undefined
}
