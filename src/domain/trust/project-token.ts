import { Fault } from '../../protocol/fault.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Permission } from '../../protocol/permission.ts'
import { addMicros, epochSeconds, type Stamp } from '../../protocol/stamp.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { Env } from '../env.ts'
import { projectOf } from '../lookup.ts'
import type { View } from '../view.ts'
import type { IssuedToken } from './trust.ts'

/** Tokens that give their bearer some permissions in one project, at this daemon and for less than a day. */

export const PROJECT_TOKEN_TYP = 'cacpd-project+jwt'

export interface TokenRequest {
  readonly projectId: string
  /** Missing: the agent of this daemon. */
  readonly agentId?: string | undefined
  readonly permissions: readonly Permission[]
  readonly seconds: number
}

/** Stores a token before it is signed; a token without this record is not valid. */
export function issueToken(view: View, request: TokenRequest, env: Env): Decision<IssuedToken> {
  const { self, now, newId } = env
  const { project } = projectOf(view, request.projectId, env)
  const subject = request.agentId ?? self.agentId
  if (view.peers.get(subject)?.trust === 'approved')
    throw new Fault('conflict', `agentId: ${subject} is a peer and has a key of its own`, {
      next: 'Name an agent that works with this daemon, or leave it out',
      data: { field: 'agentId' },
    })
  const token: IssuedToken = {
    token_id: newId(),
    project_id: project.project_id,
    subject,
    permissions: [...new Set(request.permissions)],
    issued_at: now,
    expires_at: addMicros(now, request.seconds * 1_000_000),
    revoked_at: null,
  }
  return { result: token, local: [...roomForToken(view, now), noting(token)] }
}

/** Removes tokens that expired more than a day ago. */
function roomForToken(view: View, now: Stamp): LocalChange[] {
  const horizon = addMicros(now, -LIMITS.tokenSeconds * 1_000_000)
  const past = Array.from(view.tokens.oldestFirst()).filter(({ expires_at }) => expires_at < horizon)
  if (view.tokens.size - past.length >= LIMITS.tokens)
    throw new Fault('unavailable', `This daemon has ${LIMITS.tokens} tokens already, which is the limit`, {
      next: 'Wait until some have expired; give tokens a shorter life with --expires',
    })
  return past.map(({ token_id }) => ({ table: 'token', id: token_id, value: null }))
}

/** The command by which the operator issues an equal token. The agent ID may be any text, so it is quoted. */
export const issueCommand = (token: Pick<IssuedToken, 'project_id' | 'subject' | 'permissions'>): string =>
  `cacpd token issue --project ${token.project_id} --agent '${token.subject.replaceAll("'", `'\\''`)}' --permission ${token.permissions.join(' ')}`

const noting = (token: IssuedToken): LocalChange => ({ table: 'token', id: token.token_id, value: token })

/** Takes effect from the next request on. A token that is already revoked keeps its time. */
export function revokeToken(view: View, tokenId: string, now: Stamp): Decision<IssuedToken> {
  const token = view.tokens.get(tokenId)
  if (token === undefined)
    throw new Fault('not_found', `No token ${tokenId} here`, {
      next: 'List the tokens with cacp/token/list',
      data: { tokenId, call: { method: 'cacp/token/list', params: {} } },
    })
  if (token.revoked_at !== null) return { result: token }
  const revoked = { ...token, revoked_at: now }
  return { result: revoked, local: [noting(revoked)] }
}

export const tokenStatus = ({ revoked_at, expires_at }: IssuedToken, now: Stamp) =>
  revoked_at !== null ? 'revoked' : expires_at <= now ? 'expired' : 'active'

/** The claims that are signed. */
export function claimsOf(token: IssuedToken, issuer: string): JsonObject {
  return {
    iss: issuer,
    sub: token.subject,
    aud: token.project_id,
    permissions: [...token.permissions],
    iat: epochSeconds(token.issued_at),
    exp: epochSeconds(token.expires_at),
    jti: token.token_id,
  }
}

/** The token with these claims: they must equal those that were stored when it was issued. */
export function tokenWith(
  claims: JsonObject,
  { tokens, issuer }: { tokens: View['tokens']; issuer: string },
): IssuedToken | undefined {
  const noted = tokens.get(String(claims['jti']))
  if (noted === undefined) return undefined
  return canonicalText(claims) === canonicalText(claimsOf(noted, issuer)) ? noted : undefined
}
