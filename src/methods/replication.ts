import { z } from 'zod'
import { entityIn } from '../domain/entity.ts'
import { projectOf } from '../domain/lookup.ts'
import { marking, markOf, nextMark } from '../domain/mark.ts'
import { Fault } from '../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../protocol/json.ts'
import { Id } from '../protocol/words.ts'
import { EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT_ID, EXAMPLE_TIME } from './examples.ts'
import { handoverOf } from './handover.ts'
import { method } from './row.ts'

/** What two cacpds say to each other besides the document's sync methods. Other peers never hear of it. */

/** Raised when a cacpd of another format could misunderstand these methods. */
export const SYNC_FORMAT = 2

const EXAMPLE_STORE = '01934a7c-0000-7000-8000-000000000001'
const EXAMPLE_LIFE = '01934a7c-0000-7000-8000-000000000002'
const EXAMPLE_DIGEST = '9f86d081884c7d659a2feaa0c55ad015'

const Seq = z.int().min(0)
const BucketCount = z.int().min(1).max(65_536)
const Kind = z.enum(['project', 'repo', 'contract', 'packet', 'receipt'])

export const hello = method({
  name: 'cacp/sync/hello',
  summary: 'Begin to hand over changes: learn how far this daemon has those of your store.',
  access: 'sync',
  noted: 'always',
  params: z.object({
    storeId: Id.describe('yours'),
    life: Id.describe('another one after every start: whoever hears it the first time says hello too'),
  }),
  result: z.object({
    storeId: z.string().describe('mine'),
    received: Seq.describe('the last of your changes that is on disk here'),
    count: Seq.describe(
      'how often you had something noted: less than you know of, and I am an older copy of myself',
    ),
    life: z.string().optional().describe('mine: another one after every start'),
    format: z.int(),
    now: z.string().describe('the time here, to tell a clock that is wrong'),
    runsTwice: z.literal(true).optional().describe('two daemons say hello here at once under your name'),
  }),
  example: {
    params: { storeId: EXAMPLE_STORE, life: EXAMPLE_LIFE },
    result: {
      storeId: EXAMPLE_STORE,
      received: 42,
      count: 7,
      life: EXAMPLE_LIFE,
      format: SYNC_FORMAT,
      now: EXAMPLE_TIME,
    },
  },
}).serve(({ peers }, given, { env }) =>
  peers.hello(given, env).then(({ seq, count, runsTwice }) => ({
    storeId: env.self.storeId,
    received: seq,
    count,
    ...(env.life === undefined ? {} : { life: env.life }),
    format: SYNC_FORMAT,
    now: env.now,
    ...(runsTwice ? { runsTwice } : {}),
  })),
)

export const mark = method({
  name: 'cacp/sync/mark',
  summary:
    'Note that all changes of your store between two were handed over, or some beside them. Comes last in a batch.',
  access: 'sync',
  noted: 'changes',
  params: z.object({
    storeId: Id,
    after: Seq,
    seq: Seq,
    life: Id.optional().describe('mine, as cacp/sync/hello told you: what I sent in it was not handed over'),
  }),
  result: z.object({ status: z.literal('noted'), count: Seq.describe('how often you had something noted') }),
  example: {
    params: { storeId: EXAMPLE_STORE, after: 40, seq: 42, life: EXAMPLE_LIFE },
    result: { status: 'noted', count: 8 },
  },
}).decide((view, { storeId, after, seq, life }, env) => {
  const { agentId } = env.caller
  const known = markOf(view, agentId, storeId)
  // This store may have been restored from a backup since the sender last asked.
  if (known.seq < after || (life !== undefined && life !== env.life))
    throw new Fault('conflict', `Your changes after ${known.seq} are missing here`, {
      next: 'Say cacp/sync/hello and go on from there',
    })
  const next = nextMark(view, { agent_id: agentId, store_id: storeId, seq })
  return { result: { status: 'noted', count: next.count }, local: marking(view, next) }
})

export const digest = method({
  name: 'cacp/sync/digest',
  summary: 'Get a digest of every project that you may see.',
  access: 'sync',
  noted: 'changes',
  params: z.object({}),
  result: z.object({
    projects: z.array(z.object({ projectId: z.string(), digest: z.string(), count: z.int() })).readonly(),
  }),
  example: {
    params: {},
    result: { projects: [{ projectId: EXAMPLE_PROJECT_ID, digest: EXAMPLE_DIGEST, count: 7 }] },
  },
}).serve(({ replica }, _params, { env }) => replica.digests(env.caller).then((projects) => ({ projects })))

export const buckets = method({
  name: 'cacp/sync/buckets',
  summary: 'Get the digests of the entities of a project, dealt into buckets.',
  access: 'sync',
  noted: 'changes',
  params: z.object({ projectId: Id, count: BucketCount }),
  result: z.object({ digests: z.array(z.string()).readonly() }),
  example: { params: { projectId: EXAMPLE_PROJECT_ID, count: 1 }, result: { digests: [EXAMPLE_DIGEST] } },
}).serve(({ replica }, { projectId, count }, { view, env }) => {
  projectOf(view, projectId, env)
  return replica.buckets({ projectId, count }, env.caller).then((digests) => ({ digests }))
})

export const keys = method({
  name: 'cacp/sync/keys',
  summary: 'Get kind, id and hash of the entities in some buckets of a project.',
  access: 'sync',
  noted: 'changes',
  params: z.object({ projectId: Id, count: BucketCount, buckets: z.array(z.int().min(0)).max(65_536) }),
  result: z.object({ keys: z.array(z.tuple([z.string(), z.string(), z.string()]).readonly()).readonly() }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, count: 1, buckets: [0] },
    result: { keys: [['contract', EXAMPLE_CONTRACT_ID, EXAMPLE_DIGEST]] },
  },
}).serve(({ replica }, { projectId, count, buckets: wanted }, { view, env }) => {
  projectOf(view, projectId, env)
  return replica
    .entities({ projectId, count }, new Set(wanted), env.caller)
    .then((found) => ({ keys: found }))
})

/** Entities past this are left for the next call. */
const FETCH_BYTES = 2 * 1024 * 1024

export const fetch = method({
  name: 'cacp/sync/fetch',
  summary: 'Get entities of a project as the sync calls that would hand them over.',
  access: 'sync',
  noted: 'changes',
  params: z.object({ projectId: Id, keys: z.array(z.tuple([Kind, Id])).max(500) }),
  result: z.object({ calls: z.array(z.object({ method: z.string(), params: FreeObject })) }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, keys: [['contract', EXAMPLE_CONTRACT_ID]] },
    result: { calls: [{ method: 'cacp/contract/sync', params: { projectId: EXAMPLE_PROJECT_ID } }] },
  },
}).decide((view, { projectId, keys: wanted }, env) => {
  const found = projectOf(view, projectId, env)
  const members = found.project.visibility === 'members' ? [...found.repos.oldestFirst()] : []
  const calls: { method: string; params: JsonObject }[] = []
  let bytes = 0
  for (const [kind, id] of wanted) {
    const change = entityIn(found, { kind, project_id: projectId, id })
    if (change === undefined) continue
    const call = handoverOf(change, found.project, members)
    bytes += JSON.stringify(call).length
    if (bytes > FETCH_BYTES && calls.length > 0) break
    calls.push(call as { method: string; params: JsonObject })
  }
  return { result: { calls } }
})
