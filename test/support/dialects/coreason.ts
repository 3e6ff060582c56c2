import { type DialectAdapter, readStream, type Told } from './adapter.ts'

const SESSION = '123e4567-e89b-12d3-a456-426614174001'

/** The Coreason transport in the words of the acceptance suite. */
export const coreason: DialectAdapter = {
  name: 'the Coreason transport',
  unread: 'canceled',
  wrongField: 'session_id',
  async ask(daemon, query, { signal, hear } = {}) {
    const told: Told[] = []
    await readStream(
      daemon,
      { path: '/v1/assist', body: { session_id: SESSION, payload: { query } } },
      ({ event, data }) => {
        const one = toldBy(event, JSON.parse(data).data)
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
      body: JSON.stringify({ session_id: 'sess_abc', payload: { query: 'hi' } }),
    }),
}

// biome-ignore lint/suspicious/noExplicitAny: the data of any event
function toldBy(event: string | undefined, data: any): Told | undefined {
  switch (event) {
    case 'ai.coreason.node.started':
      return { type: 'started' }
    case 'ai.coreason.node.stream':
      return { type: 'delta', text: data.chunk }
    case 'ai.coreason.node.completed':
      return { type: 'terminal', status: 'completed', text: data.output_summary }
    case 'ai.coreason.legacy.error':
      return { type: 'terminal', status: data.kind === 'canceled' ? 'canceled' : 'failed' }
    default:
      return undefined
  }
}
