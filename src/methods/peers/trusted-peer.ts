import * as z from 'zod'
import { peerOf } from '../../domain/peers/peers.ts'
import { ApiKeyText } from '../../domain/trust/keys.ts'
import { PeerWord } from '../../protocol/named.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'

/** Methods that decide which peers have access. What the peers are doing is in peer.ts. */

const named = { agentId: PeerWord }

const Joined = z.object({
  agentId: z.string().describe('who invited'),
  repoName: z.string(),
  fingerprint: z.string().describe('six words, the same at both ends'),
  projectId: z.string().nullable(),
  claimedRepo: z.string().nullable().describe('the repo of that project which is yours from now on'),
})
export type Joined = z.output<typeof Joined>

export const join = method({
  name: 'cacp/peer/join',
  summary: 'Use an invite: the two daemons pin each other, and exchange keys.',
  access: 'operator',
  params: z.object({ url: z.string().max(4096).describe('what `cacpd invite` printed at the other one') }),
  result: Joined,
  example: {
    params: {
      url: 'http://127.0.0.1:8080/pair#c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U.kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    },
    result: {
      agentId: EXAMPLE.agentId,
      repoName: 'backend-api',
      fingerprint: 'acorn gecko ginger amber circus peach',
      projectId: EXAMPLE.projectId,
      claimedRepo: 'frontend-app',
    },
  },
}).serve(({ pairing }, { url }, { env }) => pairing.join(url, env))

export const approve = method({
  name: 'cacp/peer/approve',
  summary: 'Let in a daemon that registered without a key, or one on the hub, whose key is pinned.',
  access: 'operator',
  params: z.object(named),
  result: z.object({
    agentId: z.string(),
    status: z.literal('approved'),
    hasKey: z
      .boolean()
      .describe(
        'without one it can call here only while this daemon is open; over the hub its signature is one',
      ),
  }),
  example: {
    params: { agentId: EXAMPLE.agentId },
    result: { agentId: EXAMPLE.agentId, status: 'approved', hasKey: false },
  },
}).serve(({ peers }, { agentId }) =>
  peers.approve(agentId).then(({ peer, hasKey }) => ({ agentId: peer.agent_id, status: 'approved', hasKey })),
)

export const revoke = method({
  name: 'cacp/peer/revoke',
  summary: 'Shut a peer out: its keys stop working at once, and nothing is sent to it any more.',
  access: 'operator',
  params: z.object(named),
  result: z.object({ agentId: z.string(), status: z.literal('revoked') }),
  example: { params: { agentId: EXAMPLE.agentId }, result: { agentId: EXAMPLE.agentId, status: 'revoked' } },
}).serve(({ peers }, { agentId }) => peers.revoke(agentId).then(() => ({ agentId, status: 'revoked' })))

export const renew = method({
  name: 'cacp/peer/renew',
  summary: 'Give a peer a new key to call here with; the old one goes on working until it uses the new one.',
  access: 'operator',
  params: z.object(named),
  result: z.object({ agentId: z.string(), status: z.literal('renewed') }),
  example: { params: { agentId: EXAMPLE.agentId }, result: { agentId: EXAMPLE.agentId, status: 'renewed' } },
}).serve(({ pairing }, { agentId }, { view, env }) => {
  peerOf(view, agentId)
  return pairing.renew(agentId, env).then(() => ({ agentId, status: 'renewed' }))
})

export const takeKey = method({
  name: 'cacp/peer/takeKey',
  summary: 'Get a new key to call the calling peer with.',
  access: 'sync',
  noted: 'always',
  params: z.object({ apiKey: ApiKeyText }),
  result: z.object({ status: z.literal('taken') }),
  example: {
    params: { apiKey: 'cacp_sk_live_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U' },
    result: { status: 'taken' },
  },
}).serve(({ pairing }, { apiKey }, { env }) => pairing.takeKey(apiKey, env).then(() => ({ status: 'taken' })))
