/** What was done to one file, or would be. */
export interface Step {
  readonly path: string
  readonly purpose: string
  readonly did: 'created' | 'changed' | 'in_order' | 'left' | 'removed' | 'restored' | 'stripped'
  /** Why it was left alone; the sentence continues the path. */
  readonly why?: string
  /** What would have to be added, or removed, by hand. */
  readonly paste?: string
  /** The lines that were added or removed. */
  readonly lines?: string
}

export const isLeft = ({ did }: Step): boolean => did === 'left'
