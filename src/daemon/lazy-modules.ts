import type { Logger } from 'pino'
import { loadA2a } from '../http/dialects/a2a/a2a.ts'
import { loadMcp } from '../http/mcp/mcp.ts'
import { loadOutbound } from '../io/outbound/load-outbound.ts'
import { loadAjv } from '../io/system/load-ajv.ts'

/** Modules that are not loaded at the start, to keep it short, but when they are first needed. */
const LATE_PARTS = [loadOutbound, loadMcp, loadA2a, loadAjv]

/**
 * Loads all of them, one after the other. An upgrade removes the files of a running process; what is loaded by then
 * goes on working. Node resolves a loaded module only when the same file imports it again, so each module is loaded
 * in one place.
 */
export async function loadLazyModules(log: Pick<Logger, 'debug' | 'warn'>): Promise<void> {
  try {
    for (const load of LATE_PARTS) await load()
    log.debug('every part of the program is loaded')
  } catch (error) {
    log.warn({ err: error }, 'a part of the program cannot be loaded: was it upgraded? Start the daemon anew')
  }
}
