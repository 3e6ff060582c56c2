import type { Stamp } from '../protocol/stamp.ts'
import type { Caller } from './env.ts'
import type { View } from './view.ts'

/**
 * Between the headers of a request and the last call in its body, whoever sent it may have been shut out; so may a
 * peer while this daemon fetches from it, or calls without a key where none is needed. Of those who stay for long, the
 * time says whether their token has not expired meanwhile.
 */
export function isShutOut({ kind, agentId, credential }: Caller, view: View, now?: Stamp): boolean {
  if (kind === 'token') {
    const token = credential === undefined ? undefined : view.tokens.get(credential)
    return token?.revoked_at !== null || (now !== undefined && token.expires_at <= now)
  }
  if (kind !== 'peer') return false
  const peer = view.peers.get(agentId)
  // Whoever shows no key may have been taken for a peer by its name alone, which is not kept for ever.
  return peer === undefined ? credential !== undefined : peer.trust !== 'approved'
}
