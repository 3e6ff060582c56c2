import * as z from 'zod'
import type { Invite } from '../../domain/trust/trust.ts'
import type { View } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { AnyProjectWord, PeerWord, RepoWord } from '../../protocol/named.ts'
import { Id } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const EXAMPLE_INVITE = '01934a7c-0000-7000-8000-000000000003'
const A_DAY = 24 * 60 * 60

const InviteShape = z.object({
  inviteId: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  isUsed: z.boolean(),
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  repoName: z.string().nullable(),
  replaces: z.string().nullable(),
})

const EXAMPLE_SHOWN = {
  inviteId: EXAMPLE_INVITE,
  createdAt: EXAMPLE.time,
  expiresAt: '2026-11-17T09:00:00.000000Z',
  isUsed: false,
  projectId: EXAMPLE.projectId,
  projectName: 'User Auth Feature',
  repoName: 'frontend-app',
  replaces: null,
}

const shown = (invite: Invite, view: View): z.output<typeof InviteShape> => ({
  inviteId: invite.invite_id,
  createdAt: invite.created_at,
  expiresAt: invite.expires_at,
  isUsed: invite.used_by !== null,
  projectId: invite.project_id,
  projectName: view.projects.get(invite.project_id ?? '')?.project.name ?? null,
  repoName: invite.repo_name,
  replaces: invite.replaces,
})

export const create = method({
  name: 'cacp/invite/create',
  summary: 'Make a URL that lets one other daemon in, once.',
  access: 'operator',
  params: z.object({
    project: AnyProjectWord.optional().describe(
      'ID or name of a project in which the newcomer gets its repo at once',
    ),
    repoName: RepoWord.optional().describe(
      'the repo it gets, and goes by here (default: what it calls itself)',
    ),
    expiresSeconds: z.int().min(1).max(LIMITS.inviteSeconds).default(A_DAY),
    replaces: PeerWord.optional().describe(
      'the agent whose place it takes: with its repos, and without its keys',
    ),
  }),
  result: InviteShape.extend({ url: z.string().describe('holds the secret, and is told only now') }),
  example: {
    params: { project: EXAMPLE.projectId, repoName: 'frontend-app' },
    result: {
      ...EXAMPLE_SHOWN,
      url: 'http://127.0.0.1:8080/pair#c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U.kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    },
  },
}).serve(({ pairing }, { project, repoName, expiresSeconds, replaces }, { view, env }) =>
  pairing
    .invite(
      { project: project ?? null, repoName: repoName ?? null, expiresSeconds, replaces: replaces ?? null },
      env,
    )
    .then(({ invite, url }) => ({ ...shown(invite, view), url })),
)

export const list = method({
  name: 'cacp/invite/list',
  summary: 'See the invites that were made here, and whether they were used.',
  access: 'operator',
  noted: 'first',
  params: z.object({}),
  result: z.object({ invites: z.array(InviteShape) }),
  example: { params: {}, result: { invites: [EXAMPLE_SHOWN] } },
}).decide((view) => ({
  result: { invites: Array.from(view.invites.oldestFirst(), (one) => shown(one, view)) },
}))

export const withdraw = method({
  name: 'cacp/invite/withdraw',
  summary: 'Take back an invite: it lets nobody in any more.',
  access: 'operator',
  params: z.object({ inviteId: Id }),
  result: z.object({ inviteId: z.string(), status: z.literal('withdrawn') }),
  example: {
    params: { inviteId: EXAMPLE_INVITE },
    result: { inviteId: EXAMPLE_INVITE, status: 'withdrawn' },
  },
}).decide((view, { inviteId }) => {
  if (view.invites.get(inviteId) === undefined)
    throw new Fault('not_found', `No invite ${inviteId} here`, {
      next: 'List the invites with cacp/invite/list',
      data: { inviteId, call: { method: 'cacp/invite/list', params: {} } },
    })
  return {
    result: { inviteId, status: 'withdrawn' },
    local: [{ table: 'invite', id: inviteId, value: null }],
  }
})
