import type { IncomingHttpHeaders } from 'node:http'
import type { JSONRPCID, JSONRPCRequest } from 'json-rpc-2.0'
import { checkParams } from '../../../dialects/a2a/params.ts'
import { errorOf, inA2aWords, refused } from '../../../dialects/a2a/refusals.ts'
import {
  calledBy,
  changesSomething,
  isA2aMethod,
  isStreaming,
  likelyVersion,
  offered,
} from '../../../dialects/a2a/versions.ts'
import { assertMayUse } from '../../../engine/dispatch/access.ts'
import type { Audit, Visit } from '../../../engine/dispatch/audit.ts'
import { Fault } from '../../../protocol/fault.ts'
import { openEventStream } from '../../reply/sse.ts'
import { gather } from '../../request/gather.ts'
import {
  type Circumstances,
  isShownInStatus,
  type OtherMethods,
  type StreamedReply,
} from '../../rpc/json-rpc.ts'
import type { DialectDeps } from '../dialect-routes.ts'
import { type CardDeps, cardOf } from './card.ts'

interface A2aDeps extends CardDeps, Pick<DialectDeps, 'accessWatch' | 'commentMillis' | 'report'> {
  readonly audit: Pick<Audit, 'refused' | 'allowed'>
}

/** The SDK is loaded after the start of the daemon, or with the first call, to make the start shorter. */
export const loadA2a = () => import('./tasks.ts')

type Results = AsyncGenerator<unknown, void, undefined>

/** The methods of A2A, beside those of CACP at `POST /`. */
export function createA2aMethods({
  report,
  audit,
  accessWatch,
  commentMillis,
  ...deps
}: A2aDeps): OtherMethods {
  const { runs } = deps.services
  const card = cardOf(deps)

  return {
    has: isA2aMethod,
    isStreaming,

    async answer(request, circumstances) {
      try {
        if (isStreaming(request.method)) throw needsItsOwnAnswer(request.method)
        const answer = await call(request, circumstances)
        noteAllowed(request, circumstances)
        return success(request, 'result' in answer ? answer.result : null)
      } catch (error) {
        return failure(request, circumstances, error)
      }
    },

    async stream(request, circumstances) {
      const left = new AbortController()
      try {
        const answer = await call(request, circumstances, left.signal)
        if ('result' in answer) return success(request, answer.result)
        // Refusals are thrown by the first step, before the answer has become a stream.
        const first = await answer.next()
        noteAllowed(request, circumstances)
        return streamed(circumstances, answers(request, circumstances, { first, rest: answer }), left)
      } catch (error) {
        const refusal = failure(request, circumstances, error)
        return isToldInStream(error, circumstances) ? streamed(circumstances, [refusal], left) : refusal
      }
    },
  }

  async function call(
    { method, params }: JSONRPCRequest,
    { caller, headers }: Circumstances,
    gone: AbortSignal = NEVER,
  ) {
    assertMayUse(caller, { name: method, access: 'run' })
    const named = calledBy(method, versionIn(headers))
    const checked = checkParams(params, offered(named), named.version)
    const { callA2a } = await loadA2a()
    return callA2a(method, checked, { runs, caller, version: named.version, card, gone })
  }

  /** Every event of the stream is an answer to the same call; a failure after the first is the last event. */
  async function* answers(
    request: JSONRPCRequest,
    circumstances: Circumstances,
    { first, rest }: { first: IteratorResult<unknown, void>; rest: Results },
  ) {
    try {
      for (let piece = first; piece.done !== true; piece = await rest.next())
        yield success(request, piece.value)
    } catch (error) {
      yield failure(request, circumstances, error)
    }
  }

  /** `left` is aborted when the reader has left. */
  function streamed(
    { caller }: Circumstances,
    told: AsyncIterable<object> | Iterable<object>,
    left: AbortController,
  ): StreamedReply {
    return {
      async stream(response) {
        const events = openEventStream(response, { commentMillis, watch: accessWatch.watching(caller) })
        const leave = () => left.abort()
        events.signal.addEventListener('abort', leave)
        if (events.signal.aborted) leave()
        const pieces = gather(events)
        try {
          for await (const answer of told) await pieces.send({ data: JSON.stringify(answer) })
        } finally {
          await pieces.flush()
          events.end()
        }
      },
    }
  }

  function failure(request: JSONRPCRequest, circumstances: Circumstances, error: unknown) {
    const fault = inA2aWords(Fault.from(error))
    if (fault.kind === 'internal') report(fault)
    audit.refused(visitOf(request, circumstances), fault)
    const version = likelyVersion(versionIn(circumstances.headers))
    return { jsonrpc: '2.0' as const, id: idOf(request), error: errorOf(fault, version) }
  }

  /** Reads are not noted in the audit trail. */
  function noteAllowed(request: JSONRPCRequest, circumstances: Circumstances): void {
    if (changesSomething(request.method)) audit.allowed(visitOf(request, circumstances))
  }
}

/** Clients of version 0.3 expect a stream even for a refusal; a missing key is an HTTP status for all. */
const isToldInStream = (error: unknown, { headers }: Circumstances): boolean =>
  likelyVersion(versionIn(headers)) === '0.3' && !isShownInStatus(Fault.from(error).kind)

const visitOf = ({ method }: JSONRPCRequest, { caller, origin = NOWHERE }: Circumstances): Visit => ({
  what: method,
  caller,
  origin,
})

const NOWHERE = { address: '', requestId: '' }

const success = (request: JSONRPCRequest, result: unknown) => ({
  jsonrpc: '2.0' as const,
  id: idOf(request),
  result,
})

const idOf = ({ id = null }: JSONRPCRequest): JSONRPCID => id

const versionIn = (headers: IncomingHttpHeaders): string | undefined => {
  const given = headers['a2a-version']
  return typeof given === 'string' ? given : given?.[0]
}

const needsItsOwnAnswer = (method: string): Fault =>
  refused('UNSUPPORTED_OPERATION', `${method} answers with a stream, which has no place in a batch`, {
    next: 'Call it alone, with an id',
  })

/** For calls with one answer: the task goes on when the caller leaves. */
const NEVER = new AbortController().signal
