import type { Stamp } from '../protocol/stamp.ts'
import type { RegisteredAgent } from './adp/registered-agent.ts'
import type { Acked, Answer, CurrentProject, LinkState, Naming, Peer, Shadow, Upload } from './model.ts'
import type { Statement } from './statements/statement.ts'
import type { ApiKey, Credential, Guest, Invite, IssuedToken } from './trust/trust.ts'
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

/** Read access to one kind of thing, in order of creation (repos: of name), then id: the same on every replica. */
export interface Shelf<Value> {
  readonly size: number
  get(id: string): Value | undefined
  /** Oldest first; with `after`, from the entry that follows that id on. An unknown `after` yields nothing. */
  oldestFirst(after?: string): Iterable<Value>
  newestFirst(): Iterable<Value>
  /** Those whose id begins so. It looks at every id, and at nothing else of what has another one. */
  beginningWith(prefix: string): Iterable<Value>
}

/** One project with all its parts. Whenever any of them changes, it is another object; a sighting is no change. */
export interface ProjectView {
  readonly project: ProjectEntity
  readonly repos: Shelf<RepoEntity>
  readonly contracts: Shelf<ContractEntity>
  readonly packets: Shelf<PacketEntity>
  /** Those of exactly this name, however many others there are. */
  contractsCalled(name: string): Iterable<ContractEntity>
  /** The same of questions that were not taken back, by what they ask; see `questionName`. */
  questionsCalled(name: string): Iterable<PacketEntity>
  /** Who was shown a contract or packet, the newest word of each repo. */
  sightingsOf(id: string): readonly Sighting[]
  /** Packets whose reply_to is this id, oldest first. */
  repliesTo(packetId: string): Iterable<PacketEntity>
  /** Packets that name the file of this hash, oldest first. */
  packetsNaming(sha256: string): Iterable<PacketEntity>
  /** The place of its last change in the order of this store; undefined when it is not here. */
  seqOf(kind: 'repo' | 'contract' | 'packet', id: string): number | undefined
  /** The newest stamp of all that was said about an entity, whether it counts or not. */
  newestAbout(id: string): Stamp | undefined
  /** What everything above is made of. */
  readonly said: SaidInProject
}

/** The admitted statements of a project. */
export interface SaidInProject extends Iterable<Statement> {
  readonly size: number
  /** The founding that counts. */
  readonly founding: Statement | undefined
  fact(id: string): Statement | undefined
  /** The one that is kept: a fact, or the newest word of a register. */
  get(id: string): Statement | undefined
  /** Whether it would change anything: it is not known, nor an older word than the one that is kept. */
  isNews(statement: Statement): boolean
  /** Ids of statements whose content came or went after they were let in, in that order. */
  readonly contentChanges: readonly string[]
  /** Keys that spoke here and that the founder has not confirmed, as far as can be told without looking at all. */
  readonly unconfirmedKeys: number
  /** What was said about an entity in one kind, whether it counts or not. */
  saidAbout(id: string, kind: string): Iterable<Statement>
  /** Admitted redactions of this statement. */
  redactionsOf(id: string): Iterable<Statement>
  /** How much a key has said. */
  volumeOf(key: string): Volume
  /** All claims that a settlement ended. */
  lostClaims(): Iterable<LostClaim>
  /** The newest stamp of all that a key has said. */
  newestBy(key: string): Stamp | undefined
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
  /** By agent: the project that it means where it names none. */
  readonly currents: Shelf<CurrentProject>
  /** Those of exactly this name, however many others there are. */
  projectsCalled(name: string): Iterable<ProjectView>
  /** Projects with a packet that names the file of this hash. */
  projectsNaming(sha256: string): Iterable<ProjectView>
  answer(key: string): Answer | undefined
  /** All that may be asked for again. */
  answers(): Iterable<Answer>
  /** Size in bytes of a stored file, undefined when it is not here. */
  fileSize(sha256: string): number | undefined
}
