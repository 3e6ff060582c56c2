import type { Contract, Repos } from './reading.ts'

/** What every form about a contract is given. */
export interface Acting {
  readonly projectId: string
  readonly contract: Contract
  readonly repos: Repos
  readonly ownRepo: string | undefined
  /** Called after something was done, so that the screen asks the daemon for what is so now. */
  acted(): void
}
