import * as z from 'zod'
import { mapResult } from '../../domain/change.ts'
import { revokeToken, tokenStatus } from '../../domain/trust/project-token.ts'
import type { IssuedToken } from '../../domain/trust/trust.ts'
import { AgentId } from '../../protocol/agent/id.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { AnyProjectWord, ProjectWord } from '../../protocol/named.ts'
import { Permission } from '../../protocol/permission.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { Id, listOf } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const EXAMPLE_TOKEN_ID = '01934a7c-0000-7000-8000-000000000003'

const TokenShape = z.object({
  tokenId: z.string(),
  projectId: z.string(),
  agentId: z.string().describe('whom its bearer acts as'),
  permissions: listOf(Permission),
  status: z.enum(['active', 'expired', 'revoked']),
  issuedAt: z.string(),
  expiresAt: z.string(),
})

const EXAMPLE_TOKEN = {
  tokenId: EXAMPLE_TOKEN_ID,
  projectId: EXAMPLE.projectId,
  agentId: EXAMPLE.agentId,
  permissions: ['project:read' as const, 'context:share' as const],
  status: 'active' as const,
  issuedAt: EXAMPLE.time,
  expiresAt: '2026-11-16T17:00:00.000000Z',
}

const shown = (token: IssuedToken, now: Stamp): z.output<typeof TokenShape> => ({
  tokenId: token.token_id,
  projectId: token.project_id,
  agentId: token.subject,
  permissions: token.permissions,
  status: tokenStatus(token, now),
  issuedAt: token.issued_at,
  expiresAt: token.expires_at,
})

export const issue = method({
  name: 'cacp/token/issue',
  summary:
    'Issue a token that lets its bearer do some things in one project, at this daemon and for a while.',
  access: 'operator',
  params: z.object({
    projectId: ProjectWord,
    agentId: AgentId.optional().describe('whom its bearer acts as; default: the agent of this daemon'),
    permissions: z.array(Permission).min(1).max(Permission.options.length).describe('what it allows'),
    expiresInSeconds: z
      .int()
      .min(1)
      .max(LIMITS.tokenSeconds)
      .default(8 * 60 * 60)
      .describe('at most a day'),
  }),
  result: TokenShape.extend({ token: z.string().describe('told only now; send it as X-Project-Token') }),
  example: {
    params: { projectId: EXAMPLE.projectId, permissions: ['project:read', 'context:share'] },
    result: { ...EXAMPLE_TOKEN, token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImNhY3BkLXByb2plY3Qrand0In0.…' },
  },
}).serve(({ tokens }, { expiresInSeconds: seconds, ...request }, { env }) =>
  tokens
    .issue({ ...request, seconds }, env)
    .then(({ issued, token }) => ({ ...shown(issued, env.now), token })),
)

export const revoke = method({
  name: 'cacp/token/revoke',
  summary: 'Revoke a project token: it stops working at once.',
  access: 'operator',
  params: z.object({ tokenId: Id }),
  result: TokenShape,
  example: { params: { tokenId: EXAMPLE_TOKEN_ID }, result: { ...EXAMPLE_TOKEN, status: 'revoked' } },
}).decide((view, { tokenId }, { now }) =>
  mapResult(revokeToken(view, tokenId, now), (token) => shown(token, now)),
)

export const list = method({
  name: 'cacp/token/list',
  summary: 'List the project tokens that were issued here, oldest first. The tokens themselves are not kept.',
  access: 'operator',
  noted: 'first',
  params: z.object({ projectId: AnyProjectWord.optional() }),
  result: z.object({ tokens: z.array(TokenShape) }),
  example: { params: {}, result: { tokens: [EXAMPLE_TOKEN] } },
}).decide((view, { projectId }, { now }) => ({
  result: {
    tokens: Array.from(view.tokens.oldestFirst(), (token) => shown(token, now)).filter(
      (token) => projectId === undefined || token.projectId === projectId,
    ),
  },
}))
