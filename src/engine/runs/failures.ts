import type { RunFailure } from '../../protocol/run/failure.ts'
import type { Problem } from '../ports/run-ports.ts'

/** What a run that was done becomes when that could not be written down: it will have to be done again. */
export const NOT_KEPT: RunFailure = {
  kind: 'storage',
  message: 'What it told could not be stored',
  retryable: true,
  data: {},
}

export const INTERRUPTED = {
  kind: 'interrupted',
  message: 'The daemon stopped while it was at work',
} as const satisfies Problem
