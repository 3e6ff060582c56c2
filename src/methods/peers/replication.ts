import * as z from 'zod'
import { rememberingGiven } from '../../domain/delivery/may-have.ts'
import { projectOf } from '../../domain/lookup.ts'
import { latestAcceptedTime } from '../../domain/speaking/redate.ts'
import { STATEMENT_LIMITS, StatementId, textOf } from '../../domain/statements/statement.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { EARLIEST, latest, parseStamp } from '../../protocol/stamp.ts'
import { Id, Texts } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

/** The methods between two cacpds, besides the sync methods of the CACP document. Other peers never call them. */

/** Raised when a cacpd of another format could misunderstand these methods. */
export const SYNC_FORMAT = 3

const EXAMPLE_STORE = '01934a7c-0000-7000-8000-000000000001'
const EXAMPLE_BOOT_ID = '01934a7c-0000-7000-8000-000000000002'
const EXAMPLE_DIGEST = '9f86d081884c7d659a2feaa0c55ad015'
const EXAMPLE_STATEMENT_ID = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const BucketCount = z.int().min(1).max(65_536)

export const hello = method({
  name: 'cacp/sync/hello',
  summary: 'Say that you are there: learn which store this is, and the time here.',
  access: 'sync',
  noted: 'always',
  params: z.object({
    storeId: Id.describe('yours'),
    bootId: Id.describe('another one after every start: whoever hears it the first time says hello too'),
  }),
  result: z.object({
    storeId: z.string().describe('mine: another one has nothing of yours'),
    bootId: z.string().optional().describe('mine: another one after every start'),
    format: z.int(),
    now: z.string().describe('the time here, to tell a clock that is wrong'),
    runsTwice: z.literal(true).optional().describe('two daemons say hello here at once under your name'),
  }),
  example: {
    params: { storeId: EXAMPLE_STORE, bootId: EXAMPLE_BOOT_ID },
    result: { storeId: EXAMPLE_STORE, bootId: EXAMPLE_BOOT_ID, format: SYNC_FORMAT, now: EXAMPLE.time },
  },
}).serve(({ peers }, given, { env }) =>
  peers.hello(given, env).then(({ runsTwice }) => ({
    storeId: env.self.storeId,
    ...(env.bootId === undefined ? {} : { bootId: env.bootId }),
    format: SYNC_FORMAT,
    now: env.now,
    ...(runsTwice ? { runsTwice } : {}),
  })),
)

const StatementOutcome = z.object({
  status: z
    .enum(['taken', 'known', 'waits', 'refused'])
    .describe('waits: for a statement that it cites and that is not here'),
  reason: z.string().optional(),
  retryable: z.boolean().optional().describe('refused now, and perhaps not later'),
})

export const statements = method({
  name: 'cacp/sync/statements',
  summary: 'Hand statements over; what is taken is on disk when this is answered.',
  access: 'sync',
  noted: 'changes',
  judgesParts: true,
  params: z.object({
    bootId: Id.optional().describe('yours: what you sent in it is not sent back to you'),
    statements: z
      .array(z.string().max(STATEMENT_LIMITS.textLength))
      .max(LIMITS.statements)
      .describe('each in canonical form; what is cited before what cites it'),
  }),
  result: z.object({
    outcomes: z.array(StatementOutcome).readonly().describe('one for each, in their order'),
  }),
  example: {
    params: { bootId: EXAMPLE_BOOT_ID, statements: ['{"about":"…","at":"…","id":"…"}'] },
    result: { outcomes: [{ status: 'refused', reason: 'at must be a time', retryable: false }] },
  },
}).serve(({ replica }, { statements: texts, bootId }, { env, origin }) =>
  replica.take(texts, { caller: env.caller, bootId, origin }).then((outcomes) => ({
    outcomes: outcomes.map((one) =>
      one.status === 'refused'
        ? { status: one.status, reason: one.reason, retryable: one.isRetryable }
        : { status: one.status },
    ),
  })),
)

const ProjectDigest = z.object({
  projectId: z.string(),
  /** A short hash of all statements of a project: equal on two daemons exactly when they hold the same. */
  digest: z.string(),
  count: z.int(),
})
export type ProjectDigest = z.output<typeof ProjectDigest>

export const digest = method({
  name: 'cacp/sync/digest',
  summary: 'Get a digest of every project that you may see.',
  access: 'sync',
  noted: 'changes',
  params: z.object({}),
  result: z.object({ projects: z.array(ProjectDigest).readonly() }),
  example: {
    params: {},
    result: { projects: [{ projectId: EXAMPLE.projectId, digest: EXAMPLE_DIGEST, count: 7 }] },
  },
}).serve(({ replica }, _params, { env }) => replica.digests(env.caller).then((projects) => ({ projects })))

export const buckets = method({
  name: 'cacp/sync/buckets',
  summary: 'Get the digests of the statements of a project, dealt into buckets.',
  access: 'sync',
  noted: 'changes',
  params: z.object({ projectId: Id, count: BucketCount }),
  result: z.object({ digests: Texts }),
  example: { params: { projectId: EXAMPLE.projectId, count: 1 }, result: { digests: [EXAMPLE_DIGEST] } },
}).serve(({ replica }, { projectId, count }, { view, env }) => {
  projectOf(view, projectId, env)
  return replica.buckets({ projectId, count }, env.caller).then((digests) => ({ digests }))
})

export const keys = method({
  name: 'cacp/sync/keys',
  summary: 'Get the ids of the statements in some buckets of a project.',
  access: 'sync',
  noted: 'changes',
  params: z.object({ projectId: Id, count: BucketCount, buckets: z.array(z.int().min(0)).max(65_536) }),
  result: z.object({
    ids: Texts.describe('each after what it cites; with " bare" behind it where its content was taken away'),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId, count: 1, buckets: [0] },
    result: { ids: [EXAMPLE_STATEMENT_ID] },
  },
}).serve(({ replica }, { projectId, count, buckets: wanted }, { view, env }) => {
  projectOf(view, projectId, env)
  return replica.ids({ projectId, count }, new Set(wanted), env.caller).then((ids) => ({ ids }))
})

/** A call returns about this much; further statements are left for the next call. */
const FETCH_CHARS = 2 * 1024 * 1024

export const fetch = method({
  name: 'cacp/sync/fetch',
  summary: 'Get statements of a project; as many of the first ones as one answer has room for.',
  access: 'sync',
  noted: 'changes',
  params: z.object({
    projectId: Id,
    ids: z.array(StatementId).max(LIMITS.statements),
    now: z
      .string()
      .max(40)
      .optional()
      .describe('the time at yours: what it would refuse as too far ahead is left out'),
  }),
  result: z.object({ statements: z.array(z.string()) }),
  example: {
    params: { projectId: EXAMPLE.projectId, ids: [EXAMPLE_STATEMENT_ID], now: EXAMPLE.time },
    result: { statements: ['{"about":"…","at":"…","id":"…"}'] },
  },
}).decide((view, { projectId, ids, now }, env) => {
  const { caller, self } = env
  const theirNow = parseStamp(now ?? '')
  const { said } = projectOf(view, projectId, env)
  const texts: string[] = []
  let chars = 0
  let until = EARLIEST
  for (const id of ids) {
    const statement = said.get(id)
    if (statement === undefined || (theirNow !== undefined && statement.at > latestAcceptedTime(theirNow)))
      continue
    const text = textOf(statement)
    chars += text.length
    if (chars > FETCH_CHARS && texts.length > 0) break
    texts.push(text)
    if (statement.key === self.signer.keyId) until = latest([until, statement.at])
  }
  return { result: { statements: texts }, local: rememberingGiven(view, caller.agentId, until) }
})
