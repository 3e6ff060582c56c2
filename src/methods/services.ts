import type { Caller, Env, Origin } from '../domain/env.ts'
import type { HubFound, MadeStream, StreamLimits } from '../domain/hub/found.ts'
import type { HubStatus } from '../domain/hub/status.ts'
import type { Approved, Registered, Registration } from '../domain/peers/peers.ts'
import type { Todo } from '../domain/person/todo.ts'
import type { ContractPlace, FileLooks } from '../domain/proof/own-tree.ts'
import type { AuditLine, AuditQuery } from '../domain/trust/audit.ts'
import type { InviteRequest } from '../domain/trust/invite.ts'
import type { PairAnswer, PairRequest } from '../domain/trust/pairing.ts'
import type { TokenRequest } from '../domain/trust/project-token.ts'
import type { Invite, IssuedToken, UiSession } from '../domain/trust/trust.ts'
import type { StoredFile } from '../domain/view.ts'
import type { HubSettings } from '../protocol/hub-settings.ts'
import type { ContractLists } from './contract/service.ts'
import type { AgentSearch, FoundAgent } from './peers/adp.ts'
import type { IdentityReport } from './peers/identity.ts'
import type { AgentOnHub, Joined, PeerReport } from './peers/peer.ts'
import type { ProjectDigest } from './peers/replication.ts'
import type { TodoQuery } from './person/todo.ts'
import type { Runs, Works } from './runs/service.ts'
import type { Briefing, Feed, Inbox, LocalNews, Outbox, Search, Waits } from './seat/service.ts'

/** Services for rows that cannot be decided from the view alone. Implemented by the engine. */
export interface Services {
  readonly replica: Replica
  readonly hub: HubService
  readonly hubSetup: HubSetup
  readonly peers: Peers
  readonly pairing: Pairing
  readonly files: SharedFiles
  readonly trees: OwnTrees
  readonly runs: Runs
  readonly identity: OwnIdentity
  readonly audit: { list(query: AuditQuery): Promise<readonly AuditLine[]> }
  /** Signs tokens that a decision recorded. */
  readonly tokens: { issue(request: TokenRequest, env: Env): Promise<{ issued: IssuedToken; token: string }> }
  readonly uiSessions: UiSessionList
  readonly discovery: Discovery
  readonly works: Works
  readonly search: Search
  readonly briefing: Briefing
  readonly outbox: Outbox
  readonly feed: Feed
  readonly inbox: Inbox
  readonly waits: Waits
  readonly contracts: ContractLists
  readonly person: PersonDesk
  /** What changes in local parts, until the signal is aborted; each at most every quarter of a second. */
  readonly local: { follow(signal: AbortSignal): AsyncIterable<readonly LocalNews[]> }
}

/** The hub of the organisation, which carries statements between daemons. */
export interface HubService {
  /** Null where no hub is configured. */
  status(): HubStatus | null
  /** Tries again now what is being waited for after a failure. */
  hurry(): void
}

export interface PersonDesk {
  todo(query: TodoQuery, env: Env): Promise<Todo>
}

export interface HubSetup {
  /** Null where no hub is configured. */
  readonly settings: HubSettings | null
  /** Tries it, and uses it from then on, also after the next start. */
  connect(settings: HubSettings): Promise<HubFound>
  /** Uses no hub any more. Says whether there was one. */
  disconnect(): Promise<boolean>
  /** Makes the streams and buckets, with other credentials than those of this daemon if some are given. */
  init(limits: StreamLimits, as: Pick<HubSettings, 'creds' | 'nkey'>): Promise<readonly MadeStream[]>
}

/** Agents that are registered with the ADP exchange. */
export interface Discovery {
  search(search: AgentSearch): Promise<{ agents: readonly FoundAgent[]; total: number }>
  /** Registers this daemon with that agent's daemon, and connects if it needs no more than a registration. */
  add(agentId: string, env: Env): Promise<{ agentId: string; endpoint: string; theirStatus: string }>
}

export interface UiSessionList {
  /** The one that was used last first. */
  list(): readonly UiSession[]
  /** Ends one session, or all, from this moment on. */
  end(sessionId: string | undefined): Promise<readonly UiSession[]>
}

export interface Pairing {
  /** The URL contains the secret, and is returned only once. */
  invite(request: InviteRequest, env: Env): Promise<{ invite: Invite; url: string }>
  admit(request: PairRequest, env: Env): Promise<PairAnswer>
  join(url: string, env: Env): Promise<Joined>
  /** Issues another API key to a peer. */
  renew(agentId: string, env: Env): Promise<void>
  /** Stores another API key that the calling peer issued to this daemon. */
  takeKey(apiKey: string, env: Env): Promise<void>
}

export interface Peers {
  register(body: Registration, env: Env): Promise<Registered>
  /** Finds out who listens there, stores it as approved, and registers this daemon with it. */
  add(url: string, env: Env): Promise<{ agentId: string; repoName: string; theirStatus: string }>
  remove(agentId: string): Promise<void>
  /** Approves a peer that is pending or was revoked, or an agent on the hub by its ID or repository. */
  approve(agentId: string): Promise<Approved>
  /** Revokes the access of a peer, from this moment on. */
  revoke(agentId: string): Promise<void>
  /** Handles a greeting with the boot id of a peer's process; says whether two daemons greet under its agent ID. */
  hello(from: { storeId: string; bootId: string }, env: Env): Promise<{ readonly runsTwice: boolean }>
  /** Starts comparing states with all peers, or with one. */
  sync(agentId: string | undefined): void
  /** Handles a sign of life of a peer, with its repository name: links wait for it no longer. */
  hear(repoName: string | undefined, env: Env): Promise<void>
  list(): readonly PeerReport[]
  /** Who else is on the hub and is no peer of this daemon yet; read from there now. */
  onHub(): Promise<readonly AgentOnHub[]>
  /** Problems that the operator should look at, as sentences. */
  warnings(): readonly string[]
}

export interface OwnIdentity {
  report(): IdentityReport
  /** Replaces the key, and has the peers fetch the new one. */
  rotate(): Promise<IdentityReport>
}

/** What the files of this repository are like that its daemon declared. */
interface OwnTrees {
  /** Looks at them again, for one contract or for all, and states what changed. */
  refresh(contract?: ContractPlace): Promise<void>
  /** What files are like that a caller declares; undefined if it is not the agent of this repository. */
  lookFor(caller: Caller, paths: readonly string[]): Promise<FileLooks> | undefined
}

/** Files that a packet names, here or at another daemon. */
export interface SharedFiles {
  /** Stores a file that the caller uploads, within the limit per caller. */
  take(bytes: AsyncIterable<Uint8Array>, caller: Caller): Promise<StoredFile>
  /** Whether the file is here and the caller may read it; fetches it from peers if necessary. */
  bring(sha256: string, asker: FileAsker): Promise<boolean>
}

export interface FileAsker {
  readonly caller: Caller
  /** Whether the caller is a daemon, which may ask on behalf of another. */
  readonly isDaemon: boolean
}

/** The outcome for a statement that another daemon sent. `waits`: until the statements that it cites arrive. */
export type IntakeOutcome =
  | { readonly status: 'taken' | 'known' | 'waits' }
  | { readonly status: 'refused'; readonly reason: string; readonly isRetryable: boolean }

export interface From {
  readonly caller: Caller
  readonly bootId?: string | undefined
  /** Missing for what this daemon fetched itself. */
  readonly origin?: Origin | undefined
}

/** Accepts statements of other daemons, and compares the state with theirs without sending all of it. */
export interface Replica {
  /** Durable when it returns; the outcomes are in the order of the texts. */
  take(texts: readonly string[], from: From): Promise<readonly IntakeOutcome[]>
  /** The digests of all projects that this caller may see. */
  digests(caller: Caller): Promise<readonly ProjectDigest[]>
  /** The digests of a project's statements, distributed into this many buckets by their id. */
  buckets(dealt: Dealt, caller: Caller): Promise<readonly string[]>
  /** The ids of the statements in some of the buckets, and whether their content was redacted. */
  ids(dealt: Dealt, buckets: ReadonlySet<number>, caller: Caller): Promise<readonly string[]>
}

/** The statements of a project, distributed into this many buckets. */
interface Dealt {
  readonly projectId: string
  readonly count: number
}
