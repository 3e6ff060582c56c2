import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../../../domain/env.ts'
import type { View } from '../../../domain/view.ts'

/** Finds who a token belongs to; undefined for everything else that a caller may send. */
export type TokenCheck = (headers: IncomingHttpHeaders) => Caller | undefined

/** `tokens` has the agent ID of each orchestrator that is let in, and its token. */
export function createTokenCheck(tokens: Readonly<Record<string, string>>, view: View): TokenCheck {
  const known = Object.entries(tokens).map(([agentId, token]) => ({ agentId, digest: digestOf(token) }))

  return ({ authorization }) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined || known.length === 0) return undefined
    const given = digestOf(token)
    // All are compared, so that the time it takes tells nothing of which one was close.
    const [owner] = known.filter(({ digest }) => timingSafeEqual(digest, given))
    if (owner === undefined) return undefined
    const { agentId, digest } = owner
    const peer = view.peers.get(agentId)
    // Whoever was shut out as a peer does not come back by another door.
    if (peer?.trust === 'revoked') return undefined
    return {
      kind: 'peer',
      agentId,
      // Whoever only applied to be a peer under this name has not shown to speak for any repository.
      repoName: (peer?.trust === 'approved' && peer.repo_name) || null,
      credential: digest.toString('hex').slice(0, 8),
      isConfigured: true,
    }
  }
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
