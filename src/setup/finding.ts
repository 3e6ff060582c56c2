/** What a doctor says of one thing that was looked at. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string
  /** A note is worth knowing, but nothing has to be done. */
  readonly verdict: 'ok' | 'note' | 'wrong'
  /** A sentence without its full stop. */
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
}

export const isWrong = ({ verdict }: Finding): boolean => verdict === 'wrong'
