import { defined } from '../protocol/collections/defined.ts'

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

/** What one check finds. */
export const findingsOf = (check: string) => {
  const find =
    (verdict: Finding['verdict']) =>
    (message: string, fix?: string): Finding => ({ check, verdict, message, ...defined({ fix }) })
  return { ok: find('ok'), note: find('note'), wrong: find('wrong') }
}

export const isWrong = ({ verdict }: Finding): boolean => verdict === 'wrong'
