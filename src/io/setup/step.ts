/** What was done with one file, or would be. */
export interface Step {
  readonly path: string
  readonly purpose: string
  readonly did: 'created' | 'changed' | 'in_order' | 'left' | 'removed' | 'restored' | 'stripped'
  /** Why it was left alone; says so after the path. */
  readonly why?: string
  /** What would have to be put in, or taken out, by hand. */
  readonly paste?: string
  /** The lines that came, or went. */
  readonly lines?: string
}

export const isLeft = ({ did }: Step): boolean => did === 'left'
