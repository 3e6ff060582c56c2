import type { Caller } from '../domain/env.ts'

/** What rows that cannot be decided from the view alone work through. Implemented by the engine. */
export interface Services {
  readonly replica: Replica
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
