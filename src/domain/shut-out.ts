import type { Caller } from './env.ts'
import type { View } from './view.ts'

/** Between the headers of a request and the last call in its body, whoever sent it may have been shut out. */
export function isShutOut({ kind, agentId, credential }: Caller, view: View): boolean {
  if (credential === undefined) return false
  if (kind === 'peer') return view.peers.get(agentId)?.trust !== 'approved'
  return kind === 'token' && view.tokens.get(credential)?.revoked_at !== null
}
