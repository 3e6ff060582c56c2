import type { Caller } from './env.ts'
import type { View } from './view.ts'

/**
 * Between the headers of a request and the last call in its body, whoever sent it may have been shut out; so may a
 * peer while this daemon fetches from it, or calls without a key where none is needed.
 */
export function isShutOut({ kind, agentId, credential }: Caller, view: View): boolean {
  if (kind === 'token') return credential === undefined || view.tokens.get(credential)?.revoked_at !== null
  if (kind !== 'peer') return false
  const peer = view.peers.get(agentId)
  // Whoever shows no key may have been taken for a peer by its name alone, which is not kept for ever.
  return peer === undefined ? credential !== undefined : peer.trust !== 'approved'
}
