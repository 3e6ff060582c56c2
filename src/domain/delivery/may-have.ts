import { addMicros, EARLIEST, type Stamp } from '../../protocol/stamp.ts'
import type { LocalChange } from '../change.ts'
import { linkStateChange } from '../peers/peers.ts'
import type { View } from '../view.ts'

/** So much further than needed, so that hardly ever something has to be written before statements go out. */
const STEP_MICROS = 60 * 1_000_000

/**
 * A peer may have what this daemon said until then. That is remembered before it is given it: no answer may come, or
 * the power may fail before it does, and what somebody else has must not be said again under another id.
 */
export function rememberingGiven(view: View, agentId: string, until: Stamp): LocalChange[] {
  const link = view.links.get(agentId) ?? { agent_id: agentId, acked_seq: 0 }
  if (until <= (link.took_until ?? EARLIEST)) return []
  return linkStateChange(view, { ...link, took_until: addMicros(until, STEP_MICROS) })
}
