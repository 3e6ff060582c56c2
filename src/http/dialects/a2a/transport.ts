import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { Fault } from '../../../protocol/fault.ts'
import { type A2aCallState, createTasks } from './tasks.ts'

/** The result of a call, or the results of a stream. Failures are thrown as Faults. */
export async function callA2a(
  method: string,
  params: unknown,
  state: A2aCallState,
): Promise<{ result: unknown } | AsyncGenerator<unknown, void, undefined>> {
  const { version } = state
  const Handler = version === '0.3' ? LegacyJsonRpcTransportHandler : JsonRpcTransportHandler
  const context = new ServerCallContext({ requestedVersion: version })
  // Our caller puts the id of the call back: the SDK takes fewer kinds of ids than JSON-RPC has.
  const call = { jsonrpc: '2.0', id: null, method, params }
  const answer = await new Handler(createTasks(state)).handle(call, context)
  if (Symbol.asyncIterator in answer) return results(answer)
  const { error, result } = answer as { error?: unknown; result?: unknown }
  if (error === undefined) return { result }
  throw Fault.from(state.thrown ?? new Error('The SDK refused a call that was checked', { cause: error }))
}

async function* results(
  answers: AsyncGenerator<{ result?: unknown }, void, undefined>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { result } of answers) yield result
}
