import type { Place } from '../../io/background/place.ts'
import type { FoundDaemon } from '../../io/place/find-daemon.ts'
import { type Finding, findingsOf } from '../../setup/finding.ts'
import type { Terminal } from '../output/terminal.ts'

/** What the checks look at. */
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
