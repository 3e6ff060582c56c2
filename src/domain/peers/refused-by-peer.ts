import type { Stamp } from '../../protocol/stamp.ts'
import type { Caller } from '../env.ts'
import { isLive } from '../trust/keys.ts'
import type { View } from '../view.ts'

/**
 * Between the headers of a request and the last call in its body, whoever sent it may have been shut out; so may a
 * peer while this daemon fetches from it, or calls without a key where none is needed. Of those who stay for long, the
 * time says whether their key or token has not expired meanwhile.
 */
export function isShutOut(caller: Caller, view: View, now?: Stamp): boolean {
  const { kind, agentId, credential, isConfigured } = caller
  if (kind === 'token') {
    const token = credential === undefined ? undefined : view.tokens.get(credential)
    return token?.revoked_at !== null || (now !== undefined && token.expires_at <= now)
  }
  if (kind !== 'peer') return false
  if (now !== undefined && isKeyGone(caller, view, now)) return true
  const peer = view.peers.get(agentId)
  if (isConfigured === true) return peer?.trust === 'revoked'
  // Whoever shows no key may have been taken for a peer by its name alone, which is not kept for ever.
  return peer === undefined ? credential !== undefined : peer.trust !== 'approved'
}

/** A call that a newer key overtook is still its caller's; nobody stays with the old one. */
function isKeyGone({ keyId }: Caller, view: View, now: Stamp): boolean {
  const key = keyId === undefined ? undefined : view.keys.get(keyId)
  return keyId !== undefined && (key === undefined || !isLive(key, now))
}
