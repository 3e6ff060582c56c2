import type { Caller, Env, Origin } from '../domain/env.ts'
import type { Approved, Registered, Registration } from '../domain/peers/peers.ts'
import type { AuditLine, AuditQuery } from '../domain/trust/audit.ts'
import type { InviteRequest } from '../domain/trust/invite.ts'
import type { PairAnswer, PairRequest } from '../domain/trust/pairing.ts'
import type { TokenRequest } from '../domain/trust/project-token.ts'
import type { Invite, IssuedToken, PeerTrust, PublicKey } from '../domain/trust/trust.ts'
import type { StoredFile } from '../domain/view.ts'
import type { Runs } from './runs/service.ts'
import type { Works } from './runs/work-service.ts'
import type { Briefing, Feed, Inbox, Outbox, Search, Waits } from './seat/service.ts'

/** Services for rows that cannot be decided from the view alone. Implemented by the engine. */
export interface Services {
  readonly replica: Replica
  readonly peers: Peers
  readonly pairing: Pairing
  readonly files: SharedFiles
  readonly runs: Runs
  readonly identity: OwnIdentity
  readonly audit: { list(query: AuditQuery): Promise<readonly AuditLine[]> }
  readonly tokens: TokenIssuer
  readonly discovery: Discovery
  readonly works: Works
  readonly search: Search
  readonly briefing: Briefing
  readonly outbox: Outbox
  readonly feed: Feed
  readonly inbox: Inbox
  readonly waits: Waits
}

/** Agents that are registered with the ADP exchange. */
export interface Discovery {
  search(search: AgentSearch): Promise<{ agents: readonly FoundAgent[]; total: number }>
  /** Registers this daemon with that agent's daemon, and connects if it needs no more than a registration. */
  add(agentId: string, env: Env): Promise<{ agentId: string; endpoint: string; theirStatus: string }>
}

export interface AgentSearch {
  readonly query: string
  readonly role?: string | undefined
  readonly language?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** An agent according to its manifest. */
export interface FoundAgent {
  readonly agentId: string
  readonly name: string
  readonly description: string
  readonly endpoint: string
  readonly role: string | null
  readonly languages: readonly string[]
  readonly verified: boolean
  readonly signature: 'valid' | 'invalid' | 'none'
}

/** Signs tokens that a decision recorded. */
export interface TokenIssuer {
  issue(request: TokenRequest, env: Env): Promise<{ issued: IssuedToken; token: string }>
}

/** Lets other daemons in, and joins other daemons by their invites. */
export interface Pairing {
  /** The URL contains the secret, and is returned only once. */
  invite(request: InviteRequest, env: Env): Promise<{ invite: Invite; url: string }>
  /** Lets in a daemon that presents an invite. */
  admit(request: PairRequest, env: Env): Promise<PairAnswer>
  /** Uses the invite of another daemon. */
  join(url: string, env: Env): Promise<Joined>
  /** Issues another API key to a peer. */
  renew(agentId: string, env: Env): Promise<void>
  /** Stores another API key that the calling peer issued to this daemon. */
  takeKey(apiKey: string, env: Env): Promise<void>
}

export interface Joined {
  /** The agent of the inviting daemon. */
  readonly agentId: string
  readonly repoName: string
  /** Six words, equal on both sides, for two people to compare. */
  readonly fingerprint: string
  readonly projectId: string | null
  /** The repo of that project that this daemon's agent may claim. */
  readonly claimedRepo: string | null
}

/** The daemons of other repositories. */
export interface Peers {
  register(body: Registration, env: Env): Promise<Registered>
  /** Finds out who listens there, stores it as approved, and registers this daemon with it. */
  add(url: string, env: Env): Promise<{ agentId: string; repoName: string; theirStatus: string }>
  remove(agentId: string): Promise<void>
  /** Approves a peer that is pending or was revoked. */
  approve(agentId: string): Promise<Approved>
  /** Revokes the access of a peer, from this moment on. */
  revoke(agentId: string): Promise<void>
  /** Handles a peer's greeting with the boot id of its process. */
  hello(from: { storeId: string; bootId: string }, env: Env): Promise<Greeting>
  /** Starts comparing states with all peers, or with one. */
  sync(agentId: string | undefined): void
  /**
   * Handles a sign of life of a peer, with its repository name: links that wait for it to come back need not wait any
   * longer.
   */
  hear(repoName: string | undefined, env: Env): Promise<void>
  list(): readonly PeerReport[]
  /** Problems that the operator should look at, as sentences. */
  warnings(): readonly string[]
}

export interface Greeting {
  /** Whether another daemon also greets under this agent ID. */
  readonly runsTwice: boolean
}

export interface PeerReport {
  readonly agentId: string
  readonly endpoint: string
  readonly repoName: string
  /** Another repository name that the peer gives now. */
  readonly callsItself: string | null
  readonly trust: PeerTrust
  /** Six words, equal on both sides; null if the two were never paired. */
  readonly fingerprint: string | null
  readonly isHealthy: boolean
  readonly health: string
  readonly lastSeen: string | null
  readonly lastError: string | null
  readonly failures: number
  readonly breaker: 'closed' | 'open'
  /** Number of statements that it has not received yet; null if unknown. */
  readonly behind: number | null
  readonly clockSkewSeconds: number | null
  /** Whether two daemons call under its agent ID at once. */
  readonly runsTwice: boolean
  /** Whether it reports two daemons under the agent ID of this one. */
  readonly hearsUsTwice: boolean
  /** The entities with statements of ours that it refused; the newest. */
  readonly aside: readonly { readonly key: string; readonly reason: string; readonly since: string }[]
  /** Statements of it that were refused since this daemon started. */
  readonly refused: RefusedOfPeer
  /** Statements of it that wait for something that has not arrived. */
  readonly waiting: { readonly count: number; readonly since: string | null }
}

export interface RefusedOfPeer {
  readonly count: number
  readonly newest: readonly { readonly id: string; readonly reason: string; readonly since: string }[]
}

/** The identity of this daemon. */
export interface OwnIdentity {
  report(): IdentityReport
  /** Replaces the key, and has the peers fetch the new one. */
  rotate(): Promise<IdentityReport>
}

export interface IdentityReport {
  readonly agentId: string
  readonly fingerprint: string
  readonly publicKey: PublicKey
  readonly rotations: number
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

/** A short hash of all statements of a project: equal on two daemons exactly when they hold the same. */
export interface ProjectDigest {
  readonly projectId: string
  readonly digest: string
  readonly count: number
}

/** The outcome for a statement that another daemon sent. `waits`: until the statements that it cites arrive. */
export type IntakeOutcome =
  | { readonly status: 'taken' | 'known' | 'waits' }
  | { readonly status: 'refused'; readonly reason: string; readonly isRetryable: boolean }

/** The sender of statements. */
export interface From {
  readonly caller: Caller
  /** The boot id of the sender's process, if it is given. */
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
export interface Dealt {
  readonly projectId: string
  readonly count: number
}
