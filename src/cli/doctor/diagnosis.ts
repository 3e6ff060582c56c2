import type { Place } from '../../io/background/place.ts'
import type { FoundDaemon } from '../../io/place/find-daemon.ts'
import { defined } from '../../protocol/collections/defined.ts'
import type { Terminal } from '../output/terminal.ts'

export interface Finding {
  /** What was checked, in a word or two. */
  readonly check: string
  /** A note is worth knowing, but needs no action. */
  readonly verdict: 'ok' | 'note' | 'wrong'
  /** A sentence without its full stop. */
  readonly message: string
  readonly fix?: string
}

export const findingsOf = (check: string) => {
  const find =
    (verdict: Finding['verdict']) =>
    (message: string, fix?: string): Finding => ({ check, verdict, message, ...defined({ fix }) })
  return { ok: find('ok'), note: find('note'), wrong: find('wrong') }
}

export const isWrong = ({ verdict }: Finding): boolean => verdict === 'wrong'

export interface Patient {
  readonly place: Place
  /** Undefined where none runs, or it cannot be found. */
  readonly daemon: FoundDaemon | undefined
  readonly terminal: Terminal
}

/** A finding that can be put right without asking: nothing is lost by it that somebody may want. */
export interface Diagnosis extends Finding {
  /** Answers what was done. */
  readonly repair?: () => Promise<string>
  /** While this is so, a daemon would not start here. */
  readonly preventsStart?: boolean
}

/** What cannot be looked at is not well. */
export function failed(check: string, error: unknown): Diagnosis {
  const { message, next } = (error instanceof Error ? error : new Error(String(error))) as Error & {
    next?: string
  }
  return findingsOf(check).wrong(message, next)
}
