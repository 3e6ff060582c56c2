import { randomUUID } from 'node:crypto'
import type { StreamPacket } from '../../../src/dialects/cap/stream-packet.ts'
import { type DialectAdapter, readStream, type Told } from './adapter.ts'

const asking = (payload: object) => ({
  request_id: randomUUID(),
  context: { session_id: 'sess_abc', user: { id: 'user_123', name: 'Alice', role: 'user' } },
  payload,
})

/** The CAP wire format in the words of the acceptance suite. It has none for the start: the open stream is one. */
export const cap: DialectAdapter = {
  name: 'the CAP wire format',
  unread: 'canceled',
  wrongField: 'payload.query',
  async ask(daemon, query, { signal, hear } = {}) {
    const told: Told[] = [{ type: 'started' }]
    let status: 'completed' | 'failed' | 'canceled' = 'completed'
    await readStream(
      daemon,
      { path: '/v1/assist', body: asking({ query }) },
      ({ data }) => {
        const packet = JSON.parse(data) as StreamPacket
        if (packet.op === 'error') status = packet.p.code === 'canceled' ? 'canceled' : 'failed'
        const one = toldBy(packet, status)
        if (one === undefined) return
        told.push(one)
        hear?.(one)
      },
      signal,
    )
    return told
  },
  askWrongly: (daemon, headers) =>
    daemon.fetch('/v1/assist', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(asking({})),
    }),
}

function toldBy({ op, p }: StreamPacket, status: 'completed' | 'failed' | 'canceled'): Told | undefined {
  if (op === 'delta') return { type: 'delta', text: p }
  return op === 'close' ? { type: 'terminal', status } : undefined
}
