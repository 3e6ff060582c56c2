import * as z from 'zod'
import type { Caller } from '../../domain/env.ts'
import { CustomFields } from '../../protocol/chiffon/envelope.ts'
import { Fault } from '../../protocol/fault.ts'
import { FreeObject } from '../../protocol/json/json.ts'
import { ContractWord } from '../../protocol/named.ts'
import { Flag, Id, listOf, namedShape, When } from '../../protocol/words.ts'
import { WORK_STATUSES, type Work } from '../../protocol/work.ts'
import { EXAMPLE, method } from '../row.ts'
import type { Works } from './service.ts'

const EXAMPLE_WORK_ID = '01934a7e-51b3-7c08-9d1e-2b6f0a4c8d57'
const LISTED = 100
const Seconds = z
  .number()
  .positive()
  .max(7 * 86_400)

const WorkShape = namedShape('Work', {
  workId: z.string(),
  status: z.enum(WORK_STATUSES),
  progress: z.int(),
  workType: z.string(),
  agentId: z.string().describe('of the peer that does it'),
  repoName: z.string(),
  contractId: z.string().nullable(),
  packetId: z.string().nullable().describe('the context packet that tells the result'),
  askedBy: z.string(),
  sends: z.int().describe('how often the request was sent'),
  step: z
    .object({ number: z.int(), name: z.string(), status: z.string(), output: z.string() })
    .nullable()
    .describe('what the agent is at, or was at last'),
  createdAt: When,
  endedAt: When.nullable(),
  lastHeartbeat: When.nullable().describe('when the agent was last heard of'),
  error: z
    .object({ code: z.int(), message: z.string(), retryable: z.boolean(), context: FreeObject })
    .nullable(),
  requestId: z.string(),
  traceId: z.string(),
  updates: z.int().describe('counts what changed, for `after`'),
})

const ResultShape = z.object({
  isSuccess: z.boolean().describe('that it was done, and all of its output is here'),
  exitCode: z.int(),
  output: z.string().describe('at most 32 MiB; where parts of it are missing, its end'),
  missing: listOf(z.object({ start: z.int(), end: z.int() })).describe(
    'byte ranges of a long output that never came',
  ),
  resourcesUsed: FreeObject,
  attempt: z.int(),
})

const EXAMPLE_WORK = {
  workId: EXAMPLE_WORK_ID,
  status: 'completed' as const,
  progress: 100,
  workType: 'summarize_project',
  agentId: EXAMPLE.agentId,
  repoName: 'backend-api',
  contractId: EXAMPLE.contractId,
  packetId: EXAMPLE.packetId,
  askedBy: 'aid://example.com/frontend@1.0.0',
  sends: 1,
  step: null,
  createdAt: EXAMPLE.time,
  endedAt: EXAMPLE.time,
  lastHeartbeat: EXAMPLE.time,
  error: null,
  requestId: '01934a7e-51b3-7c08-9d1e-2b6f0a4c8d58',
  traceId: '01934a7e-51b3-7c08-9d1e-2b6f0a4c8d59',
  updates: 4,
}
const EXAMPLE_RESULT = {
  isSuccess: true,
  exitCode: 0,
  output: 'Project User Auth Feature is planning.',
  missing: [],
  resourcesUsed: { duration_seconds: 1, gpu_vram_mb: 0 },
  attempt: 1,
}

const WorkOrder = z.object({
  peer: z.string().min(1).max(2048).describe('agent ID, repository or URL of the peer'),
  workType: z.string().min(1).max(200).describe('for example answer_question, summarize_project, echo'),
  parameters: FreeObject.default({}).describe('what the work needs to know, by name'),
  hints: z
    .object({ max_duration_seconds: Seconds.optional(), max_memory_mb: z.number().positive().optional() })
    .default({})
    .describe('how long it may take, and how much memory'),
  customFields: CustomFields.default({}).describe(
    'x_custom_fields of the message, which every answer repeats',
  ),
  contractId: ContractWord.optional().describe(
    'ID of the contract that the result is recorded on, as a context packet; or its name in the current project',
  ),
})
export type WorkOrder = z.output<typeof WorkOrder>

export const send = method({
  name: 'cacp/work/send',
  summary: 'Have the agent of another repository do some work.',
  access: 'run',
  noted: 'always',
  params: WorkOrder,
  result: z.object({ work: WorkShape }),
  example: {
    params: {
      peer: EXAMPLE.agentId,
      workType: 'summarize_project',
      parameters: { project: 'User Auth Feature' },
      contractId: EXAMPLE.contractId,
    },
    result: { work: { ...EXAMPLE_WORK, status: 'sending', progress: 0, packetId: null, endedAt: null } },
  },
}).serve(({ works }, order, { env: { caller } }) => {
  assertLocal(caller)
  return works.send(order, caller).then((work) => ({ work: show(work, works) }))
})

export const get = method({
  name: 'cacp/work/get',
  summary: 'See what became of work that was sent; waits for news where asked to.',
  access: 'run',
  noted: 'never',
  params: z.object({
    workId: Id,
    after: z.int().min(0).optional().describe('wait until `updates` is more than this'),
    waitSeconds: z.int().min(0).max(25).default(0).describe('how long to wait for that, at most'),
    includeRequest: Flag.describe('also what was sent, as params of cacp/work/send'),
  }),
  result: z.object({ work: WorkShape, request: WorkOrder.optional(), result: ResultShape.nullable() }),
  example: { params: { workId: EXAMPLE_WORK_ID }, result: { work: EXAMPLE_WORK, result: EXAMPLE_RESULT } },
}).serve(({ works }, { workId, after, waitSeconds, includeRequest }, { env: { caller } }) => {
  assertLocal(caller)
  const wanted = { after: after ?? -1, millis: waitSeconds * 1000 }
  return works.wait(workId, wanted).then((work) => ({
    work: show(work, works),
    ...(includeRequest ? { request: orderOf(work) } : {}),
    result: showResult(work),
  }))
})

export const list = method({
  name: 'cacp/work/list',
  summary: 'List the work that was sent to other repositories, newest first.',
  access: 'run',
  noted: 'never',
  params: z.object({
    status: z.enum(WORK_STATUSES).optional(),
    limit: z.int().min(1).max(1000).default(LISTED),
  }),
  result: z.object({ works: listOf(WorkShape) }),
  example: { params: {}, result: { works: [EXAMPLE_WORK] } },
}).serve(({ works }, filter, { env: { caller } }) => {
  assertLocal(caller)
  return Promise.resolve({ works: works.list(filter).map((work) => show(work, works)) })
})

export const cancel = method({
  name: 'cacp/work/cancel',
  summary: 'End work that was sent, here and at the agent that does it.',
  access: 'run',
  noted: 'always',
  params: z.object({ workId: Id }),
  result: z.object({ work: WorkShape }),
  example: {
    params: { workId: EXAMPLE_WORK_ID },
    result: { work: { ...EXAMPLE_WORK, status: 'canceled', progress: 40, packetId: null } },
  },
}).serve(({ works }, { workId }, { env: { caller } }) => {
  assertLocal(caller)
  return works.cancel(workId).then((work) => ({ work: show(work, works) }))
})

/** Only this repository itself may delegate work; no peer can make it do so. */
function assertLocal({ kind, agentId }: Caller): void {
  if (kind === 'peer')
    throw new Fault('forbidden', `${agentId} may not delegate work from here`, {
      next: 'Send the work from the daemon of your own repository',
    })
}

function show(work: Work, works: Works): z.output<typeof WorkShape> {
  return {
    workId: work.work_id,
    status: work.status,
    progress: work.progress,
    workType: work.work_type,
    agentId: work.agent_id,
    repoName: work.repo_name,
    contractId: work.contract?.contract_id ?? null,
    packetId: work.packet_id,
    askedBy: work.asked_by,
    sends: work.sends,
    step: work.step,
    createdAt: work.created_at,
    endedAt: work.ended_at,
    lastHeartbeat: works.lastHeartbeat(work.agent_id),
    error: work.error,
    requestId: work.request_id,
    traceId: work.trace_id,
    updates: work.updates,
  }
}

/** The same work can be sent again with this. */
const orderOf = (work: Work): WorkOrder => ({
  peer: work.agent_id,
  workType: work.work_type,
  parameters: work.parameters,
  hints: work.hints,
  customFields: work.custom_fields,
  ...(work.contract === null ? {} : { contractId: work.contract.contract_id }),
})

function showResult({ result }: Work): z.output<typeof ResultShape> | null {
  if (result === null) return null
  return {
    isSuccess: result.is_success,
    exitCode: result.exit_code,
    output: result.output,
    missing: result.missing,
    resourcesUsed: result.resources_used,
    attempt: result.attempt,
  }
}
