import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import { quoted } from '../names/quoted.ts'

const AGENT_NAME_LENGTH = 160

/**
 * What there is to know about a statement besides its author: a person said it and not the agent, it was reported by
 * another daemon, the claim behind it is not confirmed or has ended, or its author is revoked here. Empty if nothing.
 */
export function reservationOn(by: Json | undefined): string {
  if (!isJsonObject(by)) return ''
  const { by_person, reported_by, mark, revoked } = by
  return [
    by_person === true ? 'a person' : '',
    typeof reported_by === 'string' ? `reported by ${quoted(reported_by, AGENT_NAME_LENGTH)}` : '',
    typeof mark === 'string' ? mark : '',
    revoked === true ? 'revoked' : '',
  ]
    .filter((word) => word !== '')
    .join(', ')
}
