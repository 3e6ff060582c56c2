import { hashOf } from '../../protocol/json/canonical.ts'
import { epochSeconds, type Stamp, stampOfMillis } from '../../protocol/stamp.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { View } from '../view.ts'

/** A one-time token that was used. The record is kept until the token expires. */
export interface UsedToken {
  readonly id: string
  readonly until: Stamp
}

/** Expired records are removed a few at a time, so that no call has to remove many. */
const FORGOTTEN_AT_ONCE = 10

/** Whether a token of this issuer and id, which expires at these seconds since 1970, is used for the first time. If no more can be recorded, all are refused: it may be a second use. */
export function useToken(
  view: View,
  { iss, jti, exp }: { iss: string; jti: string; exp: number },
  { now, most }: { now: Stamp; most: number },
): Decision<boolean> {
  const id = hashOf([iss, jti])
  const ended: LocalChange[] = []
  for (const used of view.usedTokens.oldestFirst()) {
    if (epochSeconds(used.until) > epochSeconds(now) || ended.length === FORGOTTEN_AT_ONCE) break
    ended.push({ table: 'used', id: used.id, value: null })
  }
  if (view.usedTokens.get(id) !== undefined || view.usedTokens.size - ended.length >= most)
    return { result: false, local: ended }
  const until = stampOfMillis(Math.ceil(exp) * 1000)
  return { result: true, local: [...ended, { table: 'used', id, value: { id, until } }] }
}
