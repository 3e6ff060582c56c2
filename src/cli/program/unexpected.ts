import { type createLog, withoutSecrets } from '../../io/audit/log.ts'
import type { Terminal } from '../output/terminal.ts'
import { report } from './report.ts'

/** Nobody caught an error: what the process would do from here on cannot be relied on. */
class UnexpectedError extends Error {
  override readonly name = 'UnexpectedError'
  readonly next =
    'What was acknowledged is on disk. Start it anew; if this comes again, report it with what `cacpd logs` shows'

  constructor(cause: unknown) {
    const what = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    super(`cacpd ended by an unexpected error: ${withoutSecrets(what)}`, { cause })
  }
}

/** Until disposed, logs and reports an error that nobody caught, and then ends the process. */
export function endOnUnexpected(
  log: ReturnType<typeof createLog>,
  terminal: Terminal,
  { json }: { json: boolean },
): Disposable {
  const end = (cause: unknown) => {
    try {
      log.fatal({ err: cause }, 'unexpected error; the process ends')
      report(new UnexpectedError(cause), terminal, { json })
    } finally {
      process.exit(1)
    }
  }
  // Rejections that nobody handles come here too.
  process.on('uncaughtException', end)
  return { [Symbol.dispose]: () => process.off('uncaughtException', end) }
}
