import type { Stamp } from '../../protocol/stamp.ts'
import type { Caller } from '../env.ts'
import { isLive } from '../trust/keys.ts'
import { endOf } from '../trust/ui-session.ts'
import type { View } from '../view.ts'

/**
 * Whether a caller has lost access since it was authenticated: a peer can be revoked while its request is read, while
 * this daemon fetches from it, or while it calls an open daemon without a key; a person can end a session. For
 * long-lived requests, `now` tells whether the key, token or session has expired.
 */
export function isShutOut(caller: Caller, view: View, now?: Stamp): boolean {
  const { kind, agentId, credential, isConfigured, person } = caller
  if (person !== undefined) {
    const session = view.sessions.get(person.session)
    return session === undefined || (now !== undefined && endOf(session) <= now)
  }
  if (kind === 'token') {
    const token = credential === undefined ? undefined : view.tokens.get(credential)
    return token?.revoked_at !== null || (now !== undefined && token.expires_at <= now)
  }
  if (kind !== 'peer') return false
  if (now !== undefined && hasLostKey(caller, view, now)) return true
  const peer = view.peers.get(agentId)
  if (isConfigured === true) return peer?.trust === 'revoked'
  // A caller without a key may be considered a peer by its name alone, and such a record need not exist.
  return peer === undefined ? credential !== undefined : peer.trust !== 'approved'
}

/** A running call stays valid when its key is replaced, but no long-lived request continues with the old key. */
function hasLostKey({ keyId }: Caller, view: View, now: Stamp): boolean {
  const key = keyId === undefined ? undefined : view.keys.get(keyId)
  return keyId !== undefined && (key === undefined || !isLive(key, now))
}
