import { isJsonObject } from '../../protocol/json/json.ts'
import type { Work } from '../../protocol/work.ts'
import type { PeerClient } from '../ports/ports.ts'

/**
 * The protocol has no message to cancel work. Another cacpd can be asked by its own methods: it knows the run by the
 * id of our request. Whatever any other agent still sends is ignored.
 */
export async function cancelRemote(
  client: Pick<PeerClient, 'post'>,
  endpoint: string,
  { request_id, agent_id }: Work,
  millis: number,
): Promise<void> {
  const { runs } = await call('cacp/run/list', { dialect: 'chiffon', limit: 1000 })
  const run: unknown = Array.isArray(runs)
    ? runs.find((one) => isJsonObject(one) && one['request_id'] === request_id)
    : undefined
  if (isJsonObject(run))
    await call('cacp/run/cancel', { runId: run['run_id'], reason: 'canceled by its sender' })

  async function call(method: string, params: object) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer: unknown = JSON.parse(await client.post(`${endpoint}/`, body, millis, agent_id))
    const result = isJsonObject(answer) ? answer['result'] : undefined
    return isJsonObject(result) ? result : {}
  }
}
