import type { Response } from 'express'
import * as z from 'zod'
import type { RouteAbout } from '../../../describe/openapi.ts'
import { createEncoder } from '../../../dialects/agent-api/encode.ts'
import { refusal } from '../../../dialects/agent-api/failures.ts'
import type { WireEvent } from '../../../dialects/agent-api/objects.ts'
import { AgentRequest } from '../../../dialects/agent-api/request.ts'
import { toRun } from '../../../dialects/agent-api/to-run.ts'
import type { Caller } from '../../../domain/env.ts'
import type { RunEvent } from '../../../protocol/run/event.ts'
import { RUN_FAILURES } from '../../../protocol/run/failure.ts'
import type { Run } from '../../../protocol/run/run.ts'
import { lineOfJson } from '../../../protocol/sse/sse.ts'
import { sendJson } from '../../reply/send.ts'
import { anyJsonBody } from '../../request/body.ts'
import { readerOf } from '../../request/reader.ts'
import { answered } from '../../routes/about.ts'
import { getJson, type Route } from '../../routes/routes.ts'
import { deliveryFor } from '../accept.ts'
import type { DialectDeps } from '../dialect-routes.ts'
import { streamRun } from '../stream-run.ts'

/** What `GET /` lists: only paths that exist, because some clients try them all. */
const ENDPOINTS = {
  process: '/process',
  stream: '/process',
  health: '/health',
  methods: '/methods',
  agent_card: '/.well-known/agent.json',
} as const

const WireObject = z
  .looseObject({
    sequence_number: z.int().nullable(),
    object: z.enum(['response', 'message', 'content']),
    status: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'AgentApiObject' })

const PROCESS_ABOUT: RouteAbout = {
  summary: 'Ask the agent, in the words of the Agent API.',
  description: 'With `stream: false` the last event is the answer.',
  body: { 'application/json': AgentRequest.meta({ id: 'AgentApiRequest' }) },
  answers: {
    200: {
      description: 'The response, or a stream whose data are these objects as JSON text',
      contents: { 'application/json': WireObject, 'text/event-stream': WireObject },
    },
  },
  refusal: WireObject,
}

const SERVICE_ABOUT: RouteAbout = {
  summary: 'Get what this service is.',
  answers: answered(
    'Its name, version and endpoints',
    z.looseObject({
      service: z.string(),
      version: z.string(),
      endpoints: z.record(z.string(), z.string()),
    }),
  ),
}

/** The routes of the Agent API: a request comes in whole, the answer goes out event by event. */
export function agentApiRoutes(deps: DialectDeps): readonly Route[] {
  const { clock, version } = deps
  const { runs } = deps.services

  return [
    getJson('/', SERVICE_ABOUT, () => ({ service: 'cacpd', version, mode: 'daemon', endpoints: ENDPOINTS })),
    {
      verb: 'post',
      path: ENDPOINTS.process,
      access: 'run',
      about: PROCESS_ABOUT,
      serve: async (request, response, caller) => {
        const asked = toRun(await anyJsonBody(request), clock.newId)
        const { run } = await runs.start(asked.request, caller, {
          cancelWhenUnwatched: true,
          oneAtATime: true,
          retryFailed: true,
        })
        response.setHeader('x-run-id', run.run_id)
        // `stream: true` decides, whatever the Accept header says: clients of this protocol do not set that header.
        const delivery = asked.stream
          ? 'server_sent_events'
          : deliveryFor(request.headers.accept, 'request_response')
        if (delivery === 'server_sent_events') await stream(run, response, caller)
        else await answerAtEnd(run, response, caller)
      },
      refuse: (fault, _request, response) => {
        const { http, body } = refusal(fault, { id: `response_${clock.newId()}`, now: clock.now() })
        sendJson(response, http, body)
      },
    },
  ]

  function stream(run: Run, response: Response, caller: Caller): Promise<void> {
    const encode = createEncoder(run)
    // Nothing but `data` lines: clients of this protocol do not understand the other fields of an event stream.
    const frames = (event: RunEvent) => encode(event).map((piece) => ({ data: lineOfJson(piece) }))
    return streamRun(deps, { run, response, caller, encode: frames })
  }

  /** The event that a stream would end with. */
  async function answerAtEnd(run: Run, response: Response, caller: Caller): Promise<void> {
    const signal = readerOf(response)
    const encode = createEncoder(run)
    let last: WireEvent | undefined
    for await (const events of runs.follow(run.run_id, caller, { signal }))
      for (const event of events) last = encode(event).at(-1) ?? last
    if (!signal.aborted) sendJson(response, statusOf(runs.get(run.run_id, caller)), last)
  }
}

function statusOf({ status, failure }: Run): number {
  if (failure !== null) return RUN_FAILURES[failure.kind].http
  return status === 'canceled' ? 409 : 200
}
