import type { IncomingHttpHeaders } from 'node:http'
import type { Request, Response } from 'express'
import type { RouteAbout } from '../../../describe/openapi.ts'
import { createEncoder, statusOf } from '../../../dialects/chiffon/encode.ts'
import { endMessages } from '../../../dialects/chiffon/ends.ts'
import { type Refused, refusalOf } from '../../../dialects/chiffon/refusals.ts'
import { taskOf, toRun } from '../../../dialects/chiffon/to-run.ts'
import type { Caller } from '../../../domain/env.ts'
import { isAgentId } from '../../../protocol/agent/is-agent-id.ts'
import {
  type AgentType,
  CHIFFON_BOUNDS,
  CHIFFON_PATH,
  Envelope,
  type Message,
  readEnvelope,
  type Thread,
  threadOf,
  wrap,
} from '../../../protocol/chiffon/envelope.ts'
import { CHIFFON_ERRORS, type ChiffonCode } from '../../../protocol/chiffon/errors.ts'
import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import { Fault } from '../../../protocol/fault.ts'
import { isEnd } from '../../../protocol/run/event.ts'
import { NO_RESULT, type RunResult } from '../../../protocol/run/fold.ts'
import { hasEnded, type Run } from '../../../protocol/run/run.ts'
import { sendJson, sendText } from '../../reply/send.ts'
import { openEventStream } from '../../reply/sse.ts'
import { anyJsonBody } from '../../request/body.ts'
import type { Route } from '../../routes/routes.ts'
import { acceptsStream } from '../accept.ts'
import type { DialectDeps } from '../dialect-routes.ts'
import { createDeliveries, type DeliveryDeps } from './delivery.ts'
import { createTokenCheck } from './tokens.ts'

const EnvelopeSchema = Envelope.meta({ id: 'ChiffonEnvelope' })

const CHIFFON_ABOUT: RouteAbout = {
  summary: 'Send a message of the Chiffon agent protocol.',
  description:
    'A work_request is acknowledged, or followed to its end where `Accept` names text/event-stream; the same one sent again is answered by how far it is.',
  body: { 'application/json': EnvelopeSchema },
  answers: {
    200: {
      description: 'How it ended, or a stream whose data are envelopes as JSON text',
      contents: { 'application/json': EnvelopeSchema, 'text/event-stream': EnvelopeSchema },
    },
    202: { description: 'It is at work', contents: { 'application/json': EnvelopeSchema } },
    204: { description: 'News of our own work was taken' },
  },
  refusal: EnvelopeSchema,
}

export interface ChiffonSettings
  extends Pick<DeliveryDeps, 'client' | 'timers' | 'retryMillis' | 'callMillis'> {
  /** Which of the protocol's agents this one is. */
  readonly agentType: AgentType
  /** The tokens of orchestrators that are not cacpd, by their agent ID. */
  readonly tokens: Readonly<Record<string, string>>
}

/** Who asks, and where the answer goes. */
interface Asker {
  readonly response: Response
  readonly caller: Caller
}

interface Work extends Asker {
  readonly run: Run
  readonly thread: Thread
}

/** The route of the Chiffon protocol: takes work for this repository's agent, and news of work that it gave to others. */
export function chiffonRoutes(deps: DialectDeps): readonly Route[] {
  const { self, services, store, clock, accessWatch, commentMillis, report } = deps
  const { runs, works } = services
  const { agentType, tokens } = deps.chiffon
  const deliveries = createDeliveries({ ...deps.chiffon, agentId: self.agentId, runs, store, clock })
  const answered = new AnsweredFailures()
  const about = (run: Run) => ({ task_id: taskOf(run.request), agentId: self.agentId })

  return [
    {
      verb: 'post',
      path: CHIFFON_PATH,
      access: 'run',
      about: CHIFFON_ABOUT,
      knows: createTokenCheck(tokens, store.view),
      serve: async (request, response, caller) => {
        const body = await anyJsonBody(request, CHIFFON_BOUNDS.bodyBytes)
        response.locals['thread'] = threadOf(body)
        const envelope = readEnvelope(body)
        assertForUs(envelope)
        if (envelope.type === 'work_request') await answerWork(envelope, request, { response, caller })
        else {
          await works.receive(envelope, caller)
          sendText(response, 204, undefined)
        }
      },
      refuse: (fault, { headers }, response) => {
        const { caller, thread = {} } = response.locals as { caller?: Caller; thread?: Partial<Thread> }
        const { http, error } = refusalOf(fault, {
          ...refused(
            caller === undefined || caller.kind === 'anonymous' ? headers['x-agent-id'] : caller.agentId,
          ),
          tokenStatus: tokenStatusOf(fault, headers),
          workTypes: caller === undefined ? [] : runs.workTypes(caller),
        })
        sendJson(response, http, answerTo(thread, { type: 'error', payload: { ...error } }))
      },
    },
  ]

  async function answerWork(envelope: Envelope, { headers }: Request, to: Asker): Promise<void> {
    const { caller } = to
    const known = runs.find('chiffon', envelope.request_id, caller)
    const retryFailed = known !== undefined && answered.mayRetry(known)
    const { run, isNew } = await runs.start(toRun(envelope, known?.request), caller, { retryFailed })
    const isBegun = isNew || run.attempt > (known?.attempt ?? 0)
    const work = { ...to, run, thread: envelope }
    if (acceptsStream(headers.accept)) await stream(work)
    else if (isBegun) acknowledge(work, NO_RESULT)
    else await answerNow(work)
  }

  function acknowledge({ run, thread, response, caller }: Work, result: RunResult): void {
    deliveries.watch(run, caller)
    sendJson(response, 202, answerTo(thread, statusOf(taskOf(run.request), result)))
  }

  async function answerNow(work: Work): Promise<void> {
    const { run, thread, response, caller } = work
    // Asked before the events are read: they may have an end that is not on disk yet, which does not count before.
    const isOver = hasEnded(run)
    const result = await runs.result(run.run_id, caller)
    if (!isOver) return acknowledge(work, result)
    const end = endMessages(result, about(run)).at(-1)
    if (end === undefined) return
    if (end.type === 'error') answered.add(run.run_id, result.attempt)
    sendJson(response, statusFor(end), answerTo(thread, end))
  }

  /** A failure after the stream has begun is sent as its last message: no reader is left without an end. */
  async function stream({ run, thread, response, caller }: Work): Promise<void> {
    const events = openEventStream(response, { commentMillis, watch: accessWatch.watching(caller) })
    const encode = createEncoder(about(run))
    const frames = (messages: readonly Message[]) =>
      messages.map((message) => ({ data: JSON.stringify(answerTo(thread, message)) }))
    let isEndSent = false
    try {
      for await (const batch of runs.follow(run.run_id, caller, { signal: events.signal })) {
        const end = batch.find(isEnd)
        await events.send(batch.filter((event) => event !== end).flatMap((event) => frames(encode(event))))
        if (end === undefined) continue
        isEndSent = true
        if (end.type === 'failed') answered.add(run.run_id, end.attempt)
        // A long output is sent chunk by chunk, as the reader takes them.
        for (const frame of frames(encode(end))) await events.send([frame])
      }
    } catch (error) {
      const fault = Fault.from(error)
      if (fault.kind === 'internal') report(fault)
      const { error: payload } = refusalOf(fault, refused(caller.agentId))
      await events.send(frames([{ type: 'error', payload: { ...payload } }]))
    } finally {
      events.end()
    }
    if (!isEndSent) deliveries.watch(run, caller)
  }

  /** An answer to the sender of the message of this thread. */
  function answerTo(thread: Partial<Thread>, message: Message): Envelope {
    return wrap(message, {
      message_id: clock.newId(),
      timestamp: clock.now(),
      from_agent: agentType,
      to_agent: thread.from_agent ?? 'orchestrator',
      trace_id: thread.trace_id ?? clock.newId(),
      request_id: thread.request_id ?? clock.newId(),
      x_custom_fields: thread.x_custom_fields ?? {},
    })
  }

  function refused(named: string | string[] | undefined): Refused {
    const asker = typeof named === 'string' && isAgentId(named) ? named : 'unknown'
    return { agentId: self.agentId, asker, tokenStatus: 'invalid', workTypes: [] }
  }

  /** Work must be for our agent type; news of the work that we gave to others may also be for the orchestrator. */
  function assertForUs({ type, to_agent: to }: Envelope): void {
    if (to === agentType || (type !== 'work_request' && to === 'orchestrator')) return
    throw new Fault('invalid_params', `to_agent: must be ${agentType}, because that is who listens here`, {
      data: { field: 'to_agent' },
    })
  }
}

/** The oldest are forgotten first; then the same failure is answered once more. */
const MOST_ANSWERED = 10_000

/**
 * The failures that were answered to whoever asked for the run. A sender asks for news of a run and for another attempt
 * with the very same message: the first such message is answered with the failure, the next one starts the attempt.
 */
class AnsweredFailures {
  readonly #answered = new Map<string, true>()

  add(runId: string, attempt: number): void {
    this.#answered.set(keyOf(runId, attempt), true)
    dropOldest(this.#answered, MOST_ANSWERED)
  }

  /** A run that the stop of the daemon interrupted is tried again at once: whoever asks has lost the connection. */
  mayRetry({ run_id, attempt, failure }: Run): boolean {
    if (failure === null) return false
    return failure.kind === 'interrupted' || this.#answered.has(keyOf(run_id, attempt))
  }
}

const keyOf = (runId: string, attempt: number): string => `${runId}/${attempt}`

function tokenStatusOf({ kind }: Fault, { authorization }: IncomingHttpHeaders): Refused['tokenStatus'] {
  if (kind !== 'unauthorized') return 'not_allowed'
  return authorization === undefined ? 'missing' : 'invalid'
}

const statusFor = ({ type, payload }: Message): number =>
  type === 'error' ? CHIFFON_ERRORS[payload['error_code'] as ChiffonCode].http : 200
