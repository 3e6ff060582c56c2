import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import { quoted } from '../names/quoted.ts'

/** Of an agent's name. */
const NAME_LENGTH = 160

/**
 * What has to be known of somebody's word besides who said it, in few words: that it was only reported, that the claim
 * behind it is not confirmed or has ended, that its author was shut out here. Nothing where it is just that.
 */
export function reservationOn(by: Json | undefined): string {
  if (!isJsonObject(by)) return ''
  const { reported_by, mark, revoked } = by
  return [
    typeof reported_by === 'string' ? `reported by ${quoted(reported_by, NAME_LENGTH)}` : '',
    typeof mark === 'string' ? mark : '',
    revoked === true ? 'revoked' : '',
  ]
    .filter((word) => word !== '')
    .join(', ')
}
