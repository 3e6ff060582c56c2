import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import {
  createJSONRPCErrorResponse,
  createJSONRPCSuccessResponse,
  isJSONRPCID,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCID,
  type JSONRPCRequest,
  type JSONRPCResponse,
} from 'json-rpc-2.0'
import type { Caller, Origin } from '../../domain/env.ts'
import { isRefusal } from '../../domain/trust/audit.ts'
import { keyNeeded } from '../../engine/dispatch/access.ts'
import type { AnswerCall } from '../../engine/dispatch/call.ts'
import { type MethodTable, methodNotFound } from '../../engine/dispatch/dispatch.ts'
import type { AnyMethod } from '../../methods/row.ts'
import { FAULTS, Fault, type FaultKind } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { jsonText, keptText } from '../../protocol/json/text.ts'
import { LIMITS } from '../../protocol/limits.ts'

export interface JsonRpcDeps {
  methods: MethodTable
  answer: AnswerCall
  /** Methods of another protocol that are called at the same address. */
  others?: OtherMethods
  /** Called with every failure that is not the caller's, for the log. */
  report: (fault: Fault) => void
}

/** Who sent a body, and what its headers say. */
export interface Circumstances {
  caller: Caller
  idempotencyKey: string | undefined
  origin?: Origin | undefined
  /** Aborted when nobody waits for the reply any more. */
  gone?: (() => AbortSignal) | undefined
  headers: IncomingHttpHeaders
}

export interface Reply {
  status: number
  /** JSON, perhaps in pieces; undefined: no content, as for notifications. */
  text: string | readonly string[] | undefined
}

/** An answer that is streamed; whoever made it writes all of it, from the status on. */
export interface StreamedReply {
  stream(response: ServerResponse): Promise<void>
}

/** Their failures are answers with their own codes, and with the kind of Fault where `kindOf` finds it; they never throw. */
export interface OtherMethods {
  has(method: string): boolean
  /** Whether its answer is streamed, so that it has to be called alone. */
  isStreaming(method: string): boolean
  answer(request: JSONRPCRequest, circumstances: Circumstances): Promise<JSONRPCResponse>
  stream(request: JSONRPCRequest, circumstances: Circumstances): Promise<StreamedReply | JSONRPCResponse>
}

/** JSON-RPC 2.0, single and batch: from the text of a body to the reply. */
export function createJsonRpc({ methods, answer, others, report }: JsonRpcDeps) {
  return {
    /** Never throws: the reply says what went wrong. */
    async answer(text: string, circumstances: Circumstances): Promise<Reply | StreamedReply> {
      try {
        return await read(text, circumstances)
      } catch (error) {
        return refuse(error)
      }
    },
    refuse,
  }

  function read(text: string, circumstances: Circumstances): Promise<Reply | StreamedReply> {
    const body = jsonIn(text)
    if (body === undefined) throw new Fault('parse_error', 'Parse error: the body is not JSON')
    if (!Array.isArray(body)) return single(body, circumstances)
    if (circumstances.idempotencyKey !== undefined)
      throw new Fault('invalid_request', 'Idempotency-Key: one key cannot stand for a whole batch', {
        next: 'Give each call its own in params.idempotencyKey',
      })
    return batch(body, circumstances)
  }

  async function single(item: unknown, circumstances: Circumstances): Promise<Reply | StreamedReply> {
    const found = find(item)
    const response = isStreamed(found)
      ? await found.others.stream(found.request, circumstances)
      : await receive(found, circumstances)
    if (response !== null && 'stream' in response) return response
    if (response === null && circumstances.caller.kind === 'anonymous') throw keyNeeded('A notification')
    if (response === null) return NO_CONTENT
    const kind = kindOf(response)
    return {
      status: kind !== undefined && isShownInStatus(kind) ? FAULTS[kind].http : 200,
      text: piecesOf(response),
    }
  }

  async function batch(items: unknown[], circumstances: Circumstances): Promise<Reply> {
    if (items.length === 0) throw new Fault('invalid_request', 'Invalid request: the batch is empty')
    const limit = circumstances.caller.kind === 'peer' ? LIMITS.peerBatchItems : LIMITS.batchItems
    if (items.length > limit)
      throw new Fault(
        'invalid_request',
        `Invalid request: the batch has ${items.length} calls, at most ${limit} are taken`,
        { next: 'Split it' },
      )
    const pieces: string[] = []
    let room: number = LIMITS.batchAnswerBytes
    let isUnauthorized = false
    // One after the other, so that a batch takes no more memory than its largest call, and others get their turn.
    for (const item of items) {
      const response = await receive(find(item), circumstances)
      if (response === null) continue
      isUnauthorized ||= kindOf(response) === 'unauthorized'
      // Answers beyond the bound of the batch are not turned into text any more.
      const own = room > 0 ? piecesOf(response) : []
      room -= own.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
      pieces.push(pieces.length === 0 ? '[' : ',')
      for (const piece of room > 0 ? own : [textOf(errorResponse(response.id, leftOut()))]) pieces.push(piece)
    }
    if (pieces.length === 0) return NO_CONTENT
    pieces.push(']')
    const isShort = pieces.every(({ length }) => length < SHARED_CHARS)
    return { status: isUnauthorized ? 401 : 200, text: isShort ? pieces.join('') : pieces }
  }

  /** Looks the name of the method up, once; from then on the call carries its row. */
  function find(item: unknown): Found {
    const fault = envelopeFault(item)
    if (fault !== undefined) return { id: idOf(item), fault }
    const request = item as JSONRPCRequest
    const { id, method } = request
    const row = methods.get(method)
    if (row !== undefined) return { request, row }
    return others?.has(method) === true ? { request, others } : { id, fault: methodNotFound(method) }
  }

  /** Answers one call; null for a notification. The library's own server would make three times as many promises. */
  async function receive(found: Found, circumstances: Circumstances): Promise<JSONRPCResponse | null> {
    if ('fault' in found) return found.id === undefined ? null : errorResponse(found.id, found.fault)
    const { id, params } = found.request
    const { caller, idempotencyKey, origin, gone } = circumstances
    try {
      if ('others' in found) {
        const response = await found.others.answer(found.request, circumstances)
        return id === undefined ? null : response
      }
      const result = await answer({ row: found.row, params, caller, idempotencyKey, origin, gone })
      return id === undefined ? null : createJSONRPCSuccessResponse(id, result)
    } catch (error) {
      return id === undefined ? null : errorResponse(id, Fault.from(error))
    }
  }

  /** A long text that is kept is a piece by itself, so that all answers with the same text share it in memory. */
  function piecesOf(response: JSONRPCResponse): readonly string[] {
    const kept = keptText(response.result)
    if (kept === undefined || kept.length < SHARED_CHARS) return [textOf(response)]
    return [`{"jsonrpc":"2.0","id":${JSON.stringify(response.id)},"result":`, kept, '}']
  }

  function textOf(response: JSONRPCResponse): string {
    try {
      return jsonText(response)
    } catch (error) {
      return jsonText(errorResponse(response.id, Fault.from(error)))
    }
  }

  function errorResponse(id: JSONRPCID, fault: Fault): JSONRPCErrorResponse {
    if (fault.kind === 'internal') report(fault)
    return createJSONRPCErrorResponse(id, FAULTS[fault.kind].rpc, fault.message, fault.details)
  }

  /** The reply to a request that is refused as a whole; with its body, each of its calls gets the refusal under its id. */
  function refuse(thrown: unknown, text?: string): Reply {
    const fault = Fault.from(thrown)
    const body = text === undefined ? undefined : jsonIn(text)
    const calls = Array.isArray(body) ? body.filter(isAnswered).slice(0, LIMITS.batchItems) : []
    const told = errorResponse(idOf(body), fault)
    return {
      status: isShownInStatus(fault.kind) ? FAULTS[fault.kind].http : 200,
      text:
        calls.length === 0
          ? textOf(told)
          : `[${calls.map((call) => textOf({ ...told, id: idOf(call) })).join(',')}]`,
    }
  }
}

/** A text that is shorter is copied rather than shared. */
const SHARED_CHARS = 64 * 1024

const NO_CONTENT: Reply = { status: 204, text: undefined }

const leftOut = (): Fault =>
  new Fault(
    'too_large',
    `The call was made, but with its answer those of this batch are more than ${LIMITS.batchAnswerBytes} bytes`,
    { next: 'Split the batch; repeat a write with its idempotency key' },
  )

/**
 * Whether a failure of this kind shows in the status of the answer: else a JSON-RPC answer is HTTP 200 even for a
 * failure. Who is a member of a project is no matter of the daemon as a whole.
 */
export const isShownInStatus = (kind: FaultKind): boolean => kind !== 'not_member' && isRefusal(kind)

const isAnswered = (item: unknown): boolean => !isJsonObject(item) || item['id'] !== undefined

/** An id that can be sent back exactly as it came. */
export const isUsableId = (id: unknown): id is JSONRPCID => {
  if (!isJSONRPCID(id)) return false
  return typeof id !== 'number' || (Number.isInteger(id) ? Number.isSafeInteger(id) : Number.isFinite(id))
}

export const ID_NEEDED = 'Invalid request: id must be a string, a number up to 2^53 or null'

function envelopeFault(item: unknown): Fault | undefined {
  if (!isJsonObject(item)) return new Fault('invalid_request', 'Invalid request: must be a JSON object')
  if (item['jsonrpc'] !== '2.0') return new Fault('invalid_request', 'Invalid request: jsonrpc must be "2.0"')
  if (typeof item['method'] !== 'string')
    return new Fault('invalid_request', 'Invalid request: method must be a string')
  if (!isJSONRPCRequest(item))
    return new Fault('invalid_request', 'Invalid request: a call has neither result nor error')
  if (item['id'] !== undefined && !isUsableId(item['id'])) return new Fault('invalid_request', ID_NEEDED)
  return undefined
}

/** One item of a body: a call of one of our methods, a call of another protocol, or neither. */
type Found =
  | { readonly request: JSONRPCRequest; readonly row: AnyMethod }
  | OtherCall
  | { readonly id: JSONRPCID | undefined; readonly fault: Fault }

interface OtherCall {
  readonly request: JSONRPCRequest
  readonly others: OtherMethods
}

/** Whether the answer to a call that is a whole body comes piece by piece, and somebody waits for it. */
const isStreamed = (found: Found): found is OtherCall =>
  'others' in found && found.request.id !== undefined && found.others.isStreaming(found.request.method)

/** The kind of Fault that an error carries: in its data, or (A2A) in the metadata of the first of its details. */
function kindOf({ error }: JSONRPCResponse): FaultKind | undefined {
  if (error === undefined) return undefined
  const details = Array.isArray(error.data) ? error.data[0]?.metadata : error.data
  return (details as { kind: FaultKind } | undefined)?.kind
}

function idOf(item: unknown): JSONRPCID {
  const id = isJsonObject(item) ? item['id'] : null
  return isUsableId(id) ? id : null
}
