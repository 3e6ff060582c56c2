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

/** What rows that cannot be decided from the view alone work through. Implemented by the engine. */
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
  /** Registers this daemon there, and connects with it if that is all it wants. */
  add(agentId: string, env: Env): Promise<{ agentId: string; endpoint: string; theirStatus: string }>
}

export interface AgentSearch {
  readonly query: string
  readonly role?: string | undefined
  readonly language?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** An agent as its manifest shows it. */
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

/** Signs what a decision noted. */
export interface TokenIssuer {
  issue(request: TokenRequest, env: Env): Promise<{ issued: IssuedToken; token: string }>
}

/** How another daemon is let in, and this one by another. */
export interface Pairing {
  /** The URL holds the secret, and is told this once. */
  invite(request: InviteRequest, env: Env): Promise<{ invite: Invite; url: string }>
  /** Somebody came with an invite. */
  admit(request: PairRequest, env: Env): Promise<PairAnswer>
  /** Uses the invite of another daemon. */
  join(url: string, env: Env): Promise<Joined>
  /** Gives a peer another key to call here with. */
  renew(agentId: string, env: Env): Promise<void>
  /** The peer that calls gave us another key to call it with. */
  takeKey(apiKey: string, env: Env): Promise<void>
}

export interface Joined {
  /** Who invited. */
  readonly agentId: string
  readonly repoName: string
  /** The words that both sides see. */
  readonly fingerprint: string
  readonly projectId: string | null
  /** The repo of that project that this daemon's agent holds. */
  readonly claimedRepo: string | null
}

/** The daemons of other repositories. */
export interface Peers {
  register(body: Registration, env: Env): Promise<Registered>
  /** Finds out who listens there, stores it as approved, and registers this daemon with it. */
  add(url: string, env: Env): Promise<{ agentId: string; repoName: string; theirStatus: string }>
  remove(agentId: string): Promise<void>
  /** Lets in one that is pending, or was revoked. */
  approve(agentId: string): Promise<Approved>
  /** Shuts a peer out, from this moment on. */
  revoke(agentId: string): Promise<void>
  /** A peer said that it is there, and which of its lives this is. */
  hello(from: { storeId: string; life: string }, env: Env): Promise<Greeting>
  /** Compares states with all peers, or with one, as soon as possible. */
  sync(agentId: string | undefined): void
  /** A peer said that it is there, and its name: whoever waits for it to come back need not wait any longer. */
  hear(repoName: string | undefined, env: Env): Promise<void>
  list(): readonly PeerReport[]
  /** What somebody has to look after, in sentences. */
  warnings(): readonly string[]
}

export interface Greeting {
  /** Another daemon says hello under the same name. */
  readonly runsTwice: boolean
}

export interface PeerReport {
  readonly agentId: string
  readonly endpoint: string
  readonly repoName: string
  /** Another name that it goes by now. */
  readonly callsItself: string | null
  readonly trust: PeerTrust
  /** The words that both sides see; null where the two were never paired. */
  readonly fingerprint: string | null
  readonly isHealthy: boolean
  readonly health: string
  readonly lastSeen: string | null
  readonly lastError: string | null
  readonly failures: number
  readonly breaker: 'closed' | 'open'
  /** Statements it has not got yet; null while nothing is known of that. */
  readonly behind: number | null
  readonly clockSkewSeconds: number | null
  /** Two daemons are heard under its name at once. */
  readonly runsTwice: boolean
  /** It hears two daemons at once under the name of this one. */
  readonly hearsUsTwice: boolean
  /** What it would not take of us; the newest. */
  readonly aside: readonly { readonly key: string; readonly reason: string; readonly since: string }[]
  /** What was not taken of it since this daemon started. */
  readonly refused: RefusedOfPeer
  /** What it sent that waits for something that nobody sent. */
  readonly waiting: { readonly count: number; readonly since: string | null }
}

export interface RefusedOfPeer {
  readonly count: number
  readonly newest: readonly { readonly id: string; readonly reason: string; readonly since: string }[]
}

/** By what this daemon is known. */
export interface OwnIdentity {
  report(): IdentityReport
  /** Takes a new key, and has the peers look at it. */
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
  /** Keeps a file that the caller brings, up to what one caller may bring. */
  take(bytes: AsyncIterable<Uint8Array>, caller: Caller): Promise<StoredFile>
  /** Whether the file is here now and the caller may have it; it may have to be fetched first. */
  bring(sha256: string, asker: FileAsker): Promise<boolean>
}

export interface FileAsker {
  readonly caller: Caller
  /** Whether it is a daemon that asks, possibly on behalf of another. */
  readonly isDaemon: boolean
}

/** A short hash of everything in a project: equal on two daemons exactly when they hold the same. */
export interface ProjectDigest {
  readonly projectId: string
  readonly digest: string
  readonly count: number
}

/** What became of a statement that another daemon sent. One that waits, waits for what it cites. */
export type Intaken =
  | { readonly status: 'taken' | 'known' | 'waits' }
  | { readonly status: 'refused'; readonly reason: string; readonly isRetryable: boolean }

/** Who sends something. */
export interface From {
  readonly caller: Caller
  /** Of the sender's process, if it says. */
  readonly life?: string | undefined
  /** Absent for what this daemon fetched itself. */
  readonly origin?: Origin | undefined
}

/** How another daemon's statements come here, and how the state here is compared with its, without sending it. */
export interface Replica {
  /** On disk when it returns; the outcomes are in the order of the texts. */
  take(texts: readonly string[], from: From): Promise<readonly Intaken[]>
  /** Of every project that this caller may see. */
  digests(caller: Caller): Promise<readonly ProjectDigest[]>
  /** The statements of a project dealt into so many buckets by their id, and a digest of each. */
  buckets(dealt: Dealt, caller: Caller): Promise<readonly string[]>
  /** The ids of those that are in some of the buckets, and whether their content was taken away. */
  ids(dealt: Dealt, buckets: ReadonlySet<number>, caller: Caller): Promise<readonly string[]>
}

/** The statements of a project, dealt into so many buckets. */
export interface Dealt {
  readonly projectId: string
  readonly count: number
}
