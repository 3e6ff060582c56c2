import { addMicros, EARLIEST, type Stamp } from '../../protocol/stamp.ts'
import type { LocalChange } from '../change.ts'
import { STEP_MICROS } from '../hub/record.ts'
import { linkStateChange } from '../peers/peers.ts'
import type { View } from '../view.ts'

/**
 * A peer may have what this daemon said until then. That is remembered before it is given it: no answer may come, or
 * the power may fail before it does, and what somebody else has must not be said again under another id.
 */
export function rememberingGiven(view: View, agentId: string, until: Stamp): LocalChange[] {
  const link = view.links.get(agentId) ?? { agent_id: agentId, acked_seq: 0 }
  if (until <= (link.took_until ?? EARLIEST)) return []
  return linkStateChange(view, { ...link, took_until: addMicros(until, STEP_MICROS) })
}
