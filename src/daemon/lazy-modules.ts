import type { Logger } from 'pino'
import { loadA2a } from '../http/dialects/a2a/a2a.ts'
import { loadMcp } from '../http/mcp/mcp.ts'
import { loadOutbound } from '../io/outbound/load-outbound.ts'
import { loadAjv } from '../io/runner/capability-checks.ts'

/** All that is left out of a start to keep it short, and is loaded when it is first asked for. */
const LATE_PARTS = [loadOutbound, loadMcp, loadA2a, loadAjv]

/**
 * Loads it all, one after the other. An upgrade takes the files of a running process away: what it has loaded by then,
 * it goes on answering with. node finds that again when the same file asks for it: so each part is loaded in one place.
 */
export async function loadLateParts(log: Pick<Logger, 'debug' | 'warn'>): Promise<void> {
  try {
    for (const load of LATE_PARTS) await load()
    log.debug('every part of the program is loaded')
  } catch (error) {
    log.warn({ err: error }, 'a part of the program cannot be loaded: was it upgraded? Start the daemon anew')
  }
}
