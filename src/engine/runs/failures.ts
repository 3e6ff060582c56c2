import type { RunFailure } from '../../protocol/run/failure.ts'
import type { Problem } from '../ports/run-ports.ts'

/** The failure of a run whose events could not be written to disk: the work has to be done again. */
export const NOT_STORED: RunFailure = {
  kind: 'storage',
  message: 'What it told could not be stored',
  retryable: true,
  data: {},
}

export const INTERRUPTED = {
  kind: 'interrupted',
  message: 'The daemon stopped while it was at work',
} as const satisfies Problem
