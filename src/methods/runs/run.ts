import * as z from 'zod'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import type { RunEvent } from '../../protocol/run/event.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import { DIALECTS, promptOf, type RunRequest } from '../../protocol/run/request.ts'
import { RUN_STATUSES, type Run } from '../../protocol/run/run.ts'
import { Flag, Id, listOf, namedShape, Texts, When } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

const EXAMPLE_RUN_ID = '01934a7d-0c2f-7e31-8b55-a7b9f3c12ea4'
const SHOWN_PROMPT_LENGTH = 500
const LISTED = 100

const RunShape = namedShape('Run', {
  run_id: z.string(),
  status: z.enum(RUN_STATUSES),
  work_type: z.string(),
  prompt: z.string().describe('what was asked, cut short'),
  asked_by: z.string().describe('agent ID'),
  dialect: z.enum(DIALECTS),
  request_id: z.string(),
  session_id: z.string().nullable(),
  runner: z.string(),
  attempt: z.int(),
  created_at: When,
  ended_at: When.nullable(),
  last_sequence: z.int(),
  failure: z.object({ kind: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
})

const ResultShape = z.object({
  text: z.string(),
  output: z.json().describe('the result as data, where there is one besides the text'),
  progress: z.int(),
  citations: listOf(z.object({ uri: z.string(), text: z.string(), title: z.string().optional() })),
  artifacts: listOf(z.object({ artifact_id: z.string(), name: z.string(), mime_type: z.string() })),
  usage: z.record(z.string(), z.number()),
  exit_code: z.int().nullable(),
  duration_ms: z.int().nullable(),
  cpu_ms: z.int().nullable(),
})

const RequestShape = z
  .object({
    messages: listOf(FreeObject).describe('oldest first; the last one of the user is the request'),
    parameters: FreeObject,
    hints: FreeObject.describe('limits that the caller set'),
    generation: FreeObject.describe('model, temperature and the like'),
    tools: Texts.describe('names of those that the caller offers'),
    files: Texts.describe('addresses, which are never fetched'),
  })
  .describe('what was asked, whatever the dialect')

const EXAMPLE_RUN = {
  run_id: EXAMPLE_RUN_ID,
  status: 'completed' as const,
  work_type: 'answer_question',
  prompt: 'What is the status of the project?',
  asked_by: EXAMPLE.agentId,
  dialect: 'cap' as const,
  request_id: '550e8400-e29b-41d4-a716-446655440000',
  session_id: 'sess_abc',
  runner: 'librarian',
  attempt: 1,
  created_at: EXAMPLE.time,
  ended_at: EXAMPLE.time,
  last_sequence: 9,
  failure: null,
}
const EXAMPLE_RESULT = {
  text: 'Project User Auth Feature is planning.',
  output: null,
  progress: 100,
  citations: [],
  artifacts: [],
  usage: {},
  exit_code: null,
  duration_ms: 12,
  cpu_ms: null,
}

export const get = method({
  name: 'cacp/run/get',
  summary: 'See what became of a run so far; with `after`, its events since then.',
  access: 'run',
  noted: 'never',
  params: z.object({
    runId: Id,
    after: z
      .int()
      .min(0)
      .optional()
      .describe('answer the events after this sequence number instead of their sum'),
    waitSeconds: z
      .int()
      .min(0)
      .max(25)
      .default(0)
      .describe('how long to wait for an event, if there is none yet'),
    includeRequest: Flag.describe('also what was asked, as a whole'),
  }),
  result: z.object({
    run: RunShape,
    request: RequestShape.optional(),
    result: ResultShape.optional(),
    events: listOf(z.looseObject({ type: z.string(), sequence: z.int(), at: When })).optional(),
  }),
  example: { params: { runId: EXAMPLE_RUN_ID }, result: { run: EXAMPLE_RUN, result: EXAMPLE_RESULT } },
}).serve(({ runs }, { runId, after, waitSeconds, includeRequest }, { env: { caller } }) => {
  const shown = () => {
    const run = runs.get(runId, caller)
    return { run: showRun(run), ...(includeRequest ? { request: showRequest(run.request) } : {}) }
  }
  if (after === undefined)
    return runs.result(runId, caller).then((result) => ({ ...shown(), result: showResult(result) }))
  return runs
    .nextEvents(runId, caller, { after, waitMillis: waitSeconds * 1000 })
    .then((events) => ({ ...shown(), events: events as readonly ShownEvent[] }))
})

type ShownEvent = RunEvent & Record<string, unknown>

export const list = method({
  name: 'cacp/run/list',
  summary: 'List what this repository’s agent was asked for, newest first.',
  access: 'run',
  noted: 'never',
  params: z.object({
    sessionId: z.string().max(1000).optional(),
    status: z.enum(RUN_STATUSES).optional(),
    dialect: z.enum(DIALECTS).optional(),
    limit: z.int().min(1).max(1000).default(LISTED),
  }),
  result: z.object({ runs: listOf(RunShape) }),
  example: { params: {}, result: { runs: [EXAMPLE_RUN] } },
}).serve(({ runs }, { sessionId, ...filter }, { env: { caller } }) =>
  Promise.resolve({ runs: runs.list({ ...filter, session_id: sessionId }, caller).map(showRun) }),
)

export const cancel = method({
  name: 'cacp/run/cancel',
  summary: 'End a run that is at work.',
  access: 'run',
  noted: 'always',
  params: z.object({ runId: Id, reason: z.string().max(1000).default('canceled by request') }),
  result: z.object({ run: RunShape }),
  example: {
    params: { runId: EXAMPLE_RUN_ID },
    result: { run: { ...EXAMPLE_RUN, status: 'canceled' } },
  },
}).serve(({ runs }, { runId, reason }, { env: { caller } }) =>
  runs.cancel(runId, caller, reason).then((run) => ({ run: showRun(run) })),
)

function showRun({ request, asked_by, failure, ...run }: Run): z.output<typeof RunShape> {
  const { work_type, dialect, request_id, session_id } = request
  return {
    run_id: run.run_id,
    status: run.status,
    work_type,
    prompt: promptOf(request).slice(0, SHOWN_PROMPT_LENGTH).toWellFormed(),
    asked_by: asked_by.agent_id,
    dialect,
    request_id,
    session_id,
    runner: run.runner,
    attempt: run.attempt,
    created_at: run.created_at,
    ended_at: run.ended_at,
    last_sequence: run.last_sequence,
    failure:
      failure === null
        ? null
        : { kind: failure.kind, message: failure.message, retryable: failure.retryable },
  }
}

function showRequest(request: RunRequest): z.output<typeof RequestShape> {
  const { messages, parameters, hints, generation, tools, files } = request
  return {
    messages: messages as unknown as readonly JsonObject[],
    parameters,
    hints: { ...hints },
    generation,
    tools: tools.map(({ name }) => name),
    files,
  }
}

function showResult({ citations, artifacts, ...result }: RunResult): z.output<typeof ResultShape> {
  return {
    text: result.text,
    output: result.output as z.output<typeof ResultShape>['output'],
    progress: result.progress,
    citations: citations.map(({ uri, text, title }) => ({
      uri,
      text,
      ...(title === undefined ? {} : { title }),
    })),
    artifacts: artifacts.map(({ artifact_id, name, mime_type }) => ({ artifact_id, name, mime_type })),
    usage: result.usage,
    exit_code: result.exit_code,
    duration_ms: result.duration_ms,
    cpu_ms: result.cpu_ms,
  }
}
