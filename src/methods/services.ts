import type { Caller, Env } from '../domain/env.ts'
import type { Registered, Registration } from '../domain/peers.ts'
import type { Runs } from './runs-service.ts'
import type { Works } from './work-service.ts'

/** What rows that cannot be decided from the view alone work through. Implemented by the engine. */
export interface Services {
  readonly replica: Replica
  readonly peers: Peers
  readonly files: SharedFiles
  readonly runs: Runs
  readonly works: Works
}

/** The daemons of other repositories. */
export interface Peers {
  register(body: Registration, env: Env): Promise<Registered>
  /** Finds out who listens there, stores it as approved, and registers this daemon with it. */
  add(url: string, env: Env): Promise<{ agentId: string; repoName: string; theirStatus: string }>
  remove(agentId: string): Promise<void>
  /** A peer began to hand over changes of its store. Answers the last one that is on disk here. */
  hello(from: { storeId: string; life: string }, env: Env): Promise<number>
  /** Compares states with all peers, or with one, as soon as possible. */
  sync(agentId: string | undefined): void
  /** A peer said that it is there: whoever waits for it to come back need not wait any longer. */
  hear(agentId: string): void
  list(): readonly PeerReport[]
}

export interface PeerReport {
  readonly agentId: string
  readonly endpoint: string
  readonly repoName: string
  readonly trust: 'approved' | 'pending'
  readonly isHealthy: boolean
  readonly health: string
  readonly lastSeen: string | null
  readonly lastError: string | null
  readonly failures: number
  readonly breaker: 'closed' | 'open'
  /** Entities it has not got yet; null while nothing is known of that. */
  readonly behind: number | null
  readonly clockSkewSeconds: number | null
  readonly aside: readonly { readonly key: string; readonly reason: string; readonly since: string }[]
}

/** Files that a packet names and another daemon has. */
export interface SharedFiles {
  /** Whether the file is here now; it may have to be fetched first. */
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

/** Kind, id and hash of one entity. */
export type EntityHash = readonly [kind: string, id: string, hash: string]

/** How the state here can be compared with that of another daemon, without sending it. */
export interface Replica {
  /** Of every project that this caller may see. */
  digests(caller: Caller): Promise<readonly ProjectDigest[]>
  /** The entities of a project dealt into so many buckets by their key, and a digest of each. */
  buckets(projectId: string, count: number): Promise<readonly string[]>
  entities(projectId: string, count: number, buckets: ReadonlySet<number>): Promise<readonly EntityHash[]>
}
