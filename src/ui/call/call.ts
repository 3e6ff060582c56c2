import type { MethodName, ParamsOf, ResultOf } from '../../methods/table.ts'
import { sessionEnded } from '../session/ended.ts'
import { connection } from '../stream/bus.ts'
import { wake } from '../stream/wake.ts'
import { isObject, type Outcome, readAnswer, UNREACHABLE } from './fault.ts'
import { ask } from './http.ts'

export interface CallOptions {
  /** The same key and params give the same answer, however often the call is repeated. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

let lastId = 0

/** Calls a method of the daemon. What fails is an outcome, too: nothing is thrown. */
export async function call<Name extends MethodName>(
  method: Name,
  params: ParamsOf<Name>,
  { idempotencyKey, signal }: CallOptions = {},
): Promise<Outcome<ResultOf<Name>>> {
  const sent = idempotencyKey === undefined ? params : { ...params, idempotencyKey }
  try {
    const body = { jsonrpc: '2.0', id: ++lastId, method, params: sent }
    const response = await ask('/', { method: 'POST', body, signal })
    const answer: unknown = await response.json()
    if (response.status === 401) sessionEnded.value = true
    const { value } = connection
    // Who answers has a stream, too. The second after a first failure stays: a stream may end as soon as it begins.
    if (value.is === 'waiting' && value.failures > 1) wake({ isLate: false })
    return readAnswer<ResultOf<Name>>(isObject(answer) ? answer : undefined)
  } catch {
    return { ok: false, fault: UNREACHABLE }
  }
}
