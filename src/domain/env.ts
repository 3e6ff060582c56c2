import type { Stamp } from '../protocol/stamp.ts'
import type { StoredFile } from './view.ts'

/** Who this daemon is. */
export interface Self {
  readonly agentId: string
  readonly repo: string
  readonly role: string
  readonly language: string
  readonly endpoint: string
  /** Of the store that holds its state. */
  readonly storeId: string
}

/** Who is calling, and as which agent. */
export interface Caller {
  /** operator: has the operator key; open: came without a key to an `--open` daemon; peer: a registered daemon. */
  readonly kind: 'operator' | 'open' | 'peer' | 'anonymous'
  readonly agentId: string
  /** The repository this agent speaks for, where that is known beforehand. */
  readonly repoName: string | null
}

/** Everything a decision gets besides state and params, so that it needs no clock and no randomness. */
export interface Env {
  readonly caller: Caller
  readonly self: Self
  readonly now: Stamp
  newId(): string
  /** Of this process: another one after every start. */
  readonly life?: string
  /** The file that came inline with the call, already stored. */
  readonly attachment: StoredFile | null
}
