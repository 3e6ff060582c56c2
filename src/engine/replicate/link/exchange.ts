/** What is kept up with one peer while it can be reached. A link ends it at the first failure and makes a new one. */
export interface Exchange {
  /** Agrees with the peer on where to go on from. */
  begin(): Promise<void>
  /** Sends everything that the peer has not got; returns when it has. */
  push(): Promise<void>
  /** Compares both states and mends what differs. Meanwhile push is called as ever. */
  repair(): Promise<void>
  /** Saves what has to outlive this exchange; a comparison that is under way fails soon. */
  end(): Promise<void>
  /** What `cacpd peers` shows of it. */
  report(): ExchangeReport
}

export interface ExchangeReport {
  /** The last of our changes up to which it has everything; left out where nobody knows. */
  readonly acked?: number
  /** Entities that the peer has not got yet. */
  readonly behind: number
  /** Entities that it would not take. */
  readonly aside: readonly { readonly key: string; readonly reason: string; readonly since: string }[]
  /** Seconds by which the peer's clock is ahead of ours, where it is known. */
  readonly clockSkewSeconds: number | null
  /** The peer hears two daemons at once under the name of this one. */
  readonly hearsUsTwice?: boolean
}
