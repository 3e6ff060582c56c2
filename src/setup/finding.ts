/** The result of one check of `cacpd doctor`. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly check: string
  /** A note is worth knowing, but needs no action. */
  readonly verdict: 'ok' | 'note' | 'wrong'
  /** A sentence without its full stop. */
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
}

export const isWrong = ({ verdict }: Finding): boolean => verdict === 'wrong'
