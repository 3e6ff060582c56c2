import type { Request, Response } from 'express'
import { isServiceRequest } from '../../../dialects/cap/service-request.ts'
import { CAP } from '../../../dialects/cap/wire.ts'
import type { Asked } from '../../../dialects/coreason/agent-request.ts'
import { sequenceIn } from '../../../dialects/coreason/cloud-events.ts'
import {
  type ErrorFacts,
  factsOfFault,
  factsOfOutputs,
  factsOfResult,
} from '../../../dialects/coreason/errors.ts'
import { outputsOf } from '../../../dialects/coreason/outputs.ts'
import { badInputs } from '../../../dialects/coreason/read.ts'
import { ASSIST_PATH, type AssistWire, TRANSPORT } from '../../../dialects/coreason/wire.ts'
import type { Caller } from '../../../domain/env.ts'
import type { CheckedCapability } from '../../../protocol/agent/capability.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { RunEvent } from '../../../protocol/run/event.ts'
import type { RunRequest } from '../../../protocol/run/request.ts'
import { hasEnded, type Run } from '../../../protocol/run/run.ts'
import { sendJson, sendText } from '../../reply/send.ts'
import { anyJsonBody } from '../../request/body.ts'
import { readerOf } from '../../request/reader.ts'
import type { Route } from '../../routes/routes.ts'
import { deliveryFor } from '../accept.ts'
import type { DialectDeps } from '../dialect-routes.ts'
import { streamRun } from '../stream-run.ts'
import { ASSIST_ABOUT } from './about.ts'

/** Who asks, in which of the two protocols, and where the answer goes. */
interface Asker {
  readonly wire: AssistWire
  readonly response: Response
  readonly caller: Caller
}

export interface CoreasonSettings {
  /** What can be asked for; the first one is meant when none is named. */
  readonly capabilities: readonly CheckedCapability[]
}

/** The route of both Coreason protocols, which share a path; the body shows which of the two it is. */
export function assistRoutes(deps: DialectDeps): readonly Route[] {
  const { clock, coreason } = deps
  const { runs } = deps.services
  const { capabilities } = coreason

  return [
    {
      verb: 'post',
      path: ASSIST_PATH,
      access: 'run',
      about: ASSIST_ABOUT,
      serve: async (request, response, caller) => {
        const body = await anyJsonBody(request)
        const wire = isServiceRequest(body) ? CAP : TRANSPORT
        response.locals['wire'] = wire
        const asked = wire.toRun(body, { capabilities, newId: clock.newId })
        await answer({ wire, response, caller }, asked, request)
      },
      refuse: (fault, _request, response) => {
        // Of a body that could not be read it is not known which of the two protocols it is in.
        const { wire = TRANSPORT } = response.locals as { wire?: AssistWire }
        refuse(wire, factsOfFault(fault), response)
      },
    },
  ]

  async function answer(to: Asker, { request: asked, capability, inputsAt }: Asked, { headers }: Request) {
    const { response, caller } = to
    const wrong = await capability.checkInputs(asked.parameters)
    if (wrong !== undefined) throw badInputs(inputsAt, wrong)
    const isStream = deliveryFor(headers.accept, capability.delivery_mode) === 'server_sent_events'
    const lastEventId = isStream ? headers['last-event-id'] : undefined
    const after = lastEventId === undefined ? 0 : sequenceOf(String(lastEventId), asked, caller)
    const { run } = await runs.start(asked, caller, {
      cancelWhenUnwatched: isStream,
      // Whoever comes back for the rest gets the end as it was, also when the run failed.
      retryFailed: lastEventId === undefined,
    })
    nameIn(response, run)
    // An EventSource reconnects even after the end, until it is answered with 204.
    if (hasEnded(run) && after >= run.last_sequence) sendText(response, 204, undefined)
    else if (isStream) await stream(to, run, after)
    else await answerAtEnd(to, run, capability)
  }

  /** The end event sums up all events, so those before `after` are encoded too, but not sent. */
  function stream({ wire, response, caller }: Asker, run: Run, after: number): Promise<void> {
    const encodeAny = wire.createEncoder(run)
    const encode = (event: RunEvent) => {
      const frames = encodeAny(event)
      return event.sequence > after ? frames : []
    }
    return streamRun(deps, { run, response, caller, encode })
  }

  async function answerAtEnd(
    { wire, response, caller }: Asker,
    { run_id, request }: Run,
    capability: CheckedCapability,
  ): Promise<void> {
    const signal = readerOf(response)
    for await (const _ of runs.follow(run_id, caller, { signal }));
    if (signal.aborted) return
    const result = await runs.result(run_id, caller)
    const error = factsOfResult(result)
    if (error !== undefined) return refuse(wire, error, response)
    const outputs = outputsOf(result, capability.outputs)
    const wrong = await capability.checkOutputs(outputs)
    if (wrong !== undefined) return refuse(wire, factsOfOutputs(capability.name, wrong), response)
    sendJson(response, 200, wire.answer(request, result, outputs))
  }

  /** The last event that the reader has. An unknown one is refused: to start the run anew would do the work twice. */
  function sequenceOf(lastEventId: string, { dialect, request_id }: RunRequest, caller: Caller): number {
    const run = runs.find(dialect, request_id, caller)
    const sequence = run === undefined ? undefined : sequenceIn(lastEventId, run.run_id)
    if (sequence !== undefined) return sequence
    throw new Fault('invalid_params', 'Last-Event-ID is not an event of this request', {
      next: 'Send the request_id of the stream that broke off, or leave the header out to start anew',
      data: { field: 'Last-Event-ID' },
    })
  }
}

export const refuse = (wire: AssistWire, error: ErrorFacts, response: Response): void =>
  sendJson(response, error.code, wire.refusal(error))

/** Puts the lineage into headers, because not every answer has a place for it in its body. */
function nameIn(response: Response, { run_id, request }: Run): void {
  const { root_request_id, parent_request_id } = request.lineage
  response.setHeader('x-run-id', run_id)
  response.setHeader('x-request-id', request.request_id)
  if (root_request_id !== undefined) response.setHeader('x-root-request-id', root_request_id)
  if (parent_request_id !== undefined) response.setHeader('x-parent-request-id', parent_request_id)
}
