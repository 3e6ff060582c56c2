import { createHash, timingSafeEqual } from 'node:crypto'
import type { View } from '../../../domain/view.ts'
import type { IdentifyOwn } from '../../guard/guard.ts'

/** Finds who a token belongs to. `tokens` has the agent ID of each orchestrator that is let in, and its token. */
export function createTokenCheck(tokens: Readonly<Record<string, string>>, view: View): IdentifyOwn {
  const known = Object.entries(tokens).map(([agentId, token]) => ({ agentId, digest: digestOf(token) }))

  return ({ authorization }) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (token === undefined || known.length === 0) return undefined
    const given = digestOf(token)
    // All are compared, so that the time of the check does not depend on which one fits.
    const [owner] = known.filter(({ digest }) => timingSafeEqual(digest, given))
    if (owner === undefined) return undefined
    const { agentId, digest } = owner
    const peer = view.peers.get(agentId)
    // A revoked peer is not let in by its token either.
    if (peer?.trust === 'revoked') return undefined
    return {
      kind: 'peer',
      agentId,
      // A peer that is not approved has not shown that it speaks for a repository.
      repoName: (peer?.trust === 'approved' && peer.repo_name) || null,
      credential: digest.toString('hex').slice(0, 8),
      isConfigured: true,
    }
  }
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
