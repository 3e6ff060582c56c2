import * as z from 'zod'
import { type Caller, seesEverything } from '../../domain/env.ts'
import { peerOf } from '../../domain/peers/peers.ts'
import { ApiKeyText } from '../../domain/trust/keys.ts'
import { PeerWord } from '../../protocol/named.ts'
import { Endpoint, listOf } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'
import { Refused } from '../shapes.ts'

const PeerReport = z.object({
  agentId: z.string(),
  endpoint: z.string(),
  repoName: z.string().describe('under which it was let in, and by which it is named here'),
  callsItself: z
    .string()
    .nullable()
    .describe('another name that it goes by now, to be shown only; null where there is none'),
  trust: z.enum(['approved', 'pending', 'revoked']),
  fingerprint: z.string().nullable().describe('six words, the same at both ends; null if never paired'),
  isHealthy: z.boolean(),
  health: z
    .string()
    .describe('connecting | healthy | failing | paused | incompatible | stranger | pending | revoked'),
  lastSeen: z.string().nullable(),
  lastError: z.string().nullable(),
  failures: z.int(),
  breaker: z.enum(['closed', 'open']),
  behind: z
    .int()
    .nullable()
    .describe('statements it has not got yet; null where nothing is sent to it, or nobody can tell'),
  clockSkewSeconds: z
    .number()
    .nullable()
    .describe('by how much its clock is ahead of the one here; measured again every half minute or so'),
  runsTwice: z.boolean().describe('two daemons are heard under its name at once'),
  hearsUsTwice: z.boolean().describe('it hears two daemons at once under the name of this one'),
  aside: listOf(z.object({ key: z.string(), reason: z.string(), since: z.string() })).describe(
    'the newest of what it would not take',
  ),
  refused: Refused.describe('what was not taken of it since this daemon started'),
  waiting: z
    .object({ count: z.int(), since: z.string().nullable().describe('of the one that waits longest') })
    .describe('statements it sent that cite what nobody has sent yet; they count when that comes'),
})
export type PeerReport = z.output<typeof PeerReport>

const AgentOnHub = z.object({
  agentId: z.string(),
  repoName: z.string(),
  role: z.string(),
  capabilities: z.array(z.string()).readonly(),
  fingerprint: z.string().describe('six words; whoever runs that daemon sees the same ones for this daemon'),
  lastSeen: z.string().describe('when it last put its card there, by the clock of the hub'),
})
export type AgentOnHub = z.output<typeof AgentOnHub>

export const list = method({
  name: 'cacp/peer/list',
  summary: 'See the peers of this daemon and how far each of them is.',
  access: 'read',
  params: z.object({}),
  result: z.object({
    peers: listOf(PeerReport),
    onHub: listOf(AgentOnHub).describe(
      'agents on the hub that are no peers yet; cacp/peer/approve lets one in',
    ),
  }),
  example: {
    params: {},
    result: {
      peers: [
        {
          agentId: EXAMPLE.agentId,
          endpoint: 'http://127.0.0.1:8081',
          repoName: 'frontend-app',
          callsItself: null,
          trust: 'approved',
          fingerprint: 'acorn gecko ginger amber circus peach',
          isHealthy: true,
          health: 'healthy',
          lastSeen: EXAMPLE.time,
          lastError: null,
          failures: 0,
          breaker: 'closed',
          behind: 0,
          clockSkewSeconds: 0,
          runsTwice: false,
          hearsUsTwice: false,
          aside: [],
          refused: { count: 0, newest: [] },
          waiting: { count: 0, since: null },
        },
      ],
      onHub: [
        {
          agentId: 'aid://example.com/mobile-agent@1.0.0',
          repoName: 'mobile-app',
          role: 'frontend',
          capabilities: ['typescript'],
          fingerprint: 'acorn gecko ginger amber circus peach',
          lastSeen: EXAMPLE.time,
        },
      ],
    },
  },
}).serve(({ peers }, _params, { env: { caller } }) => {
  // It concerns those alone who can let somebody in.
  const looking = seesEverything(caller) ? peers.onHub() : Promise.resolve([])
  return looking.then((onHub) => ({ peers: peersFor(caller, peers.list()), onHub }))
})

/** Only callers on this machine get refusals and messages of a peer: they may concern projects hidden from others. */
export function peersFor({ kind }: Caller, peers: readonly PeerReport[]): readonly PeerReport[] {
  if (kind === 'operator' || kind === 'open') return peers
  const refused = { count: 0, newest: [] }
  const waiting = { count: 0, since: null }
  return peers.map((peer) => ({ ...peer, lastError: null, aside: [], refused, waiting }))
}

export const add = method({
  name: 'cacp/peer/add',
  summary: 'Connect with the daemon of another repository, both ways.',
  access: 'operator',
  params: z.object({ url: Endpoint.describe('where it listens, as its `cacpd status` says') }),
  result: z.object({
    agentId: z.string(),
    repoName: z.string(),
    theirStatus: z.string().describe('registered, or pending until their operator approves'),
  }),
  example: {
    params: { url: 'http://127.0.0.1:8081' },
    result: { agentId: EXAMPLE.agentId, repoName: 'frontend-app', theirStatus: 'registered' },
  },
}).serve(({ peers }, { url }, { env }) => peers.add(url.replace(/\/+$/, ''), env))

export const remove = method({
  name: 'cacp/peer/remove',
  summary: 'Forget a peer: nothing is sent to it any more.',
  access: 'operator',
  params: z.object({ agentId: PeerWord }),
  result: z.object({ agentId: z.string(), status: z.literal('removed') }),
  example: { params: { agentId: EXAMPLE.agentId }, result: { agentId: EXAMPLE.agentId, status: 'removed' } },
}).serve(({ peers }, { agentId }, { view }) => {
  peerOf(view, agentId)
  return peers.remove(agentId).then(() => ({ agentId, status: 'removed' }))
})

export const sync = method({
  name: 'cacp/peer/sync',
  summary: 'Compare states with all peers, or with one, right now.',
  access: 'operator',
  params: z.object({ agentId: PeerWord.optional() }),
  result: z.object({ status: z.literal('started') }),
  example: { params: {}, result: { status: 'started' } },
}).serve(({ peers }, { agentId }, { view }) => {
  if (agentId !== undefined) peerOf(view, agentId)
  peers.sync(agentId)
  return Promise.resolve({ status: 'started' })
})

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
