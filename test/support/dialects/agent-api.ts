import type { DialectAdapter, Told } from './adapter.ts'
import { readStream } from './adapter.ts'

const input = (text: string) => [{ role: 'user', type: 'message', content: [{ type: 'text', text }] }]

/** The Agent API in the words of the acceptance suite. */
export const agentApi: DialectAdapter = {
  name: 'the Agent API',
  unread: 'canceled',
  wrongField: 'input',
  async ask(daemon, question, { signal, hear } = {}) {
    const told: Told[] = []
    await readStream(
      daemon,
      { path: '/process', body: { input: input(question) } },
      ({ data }) => {
        const one = toldBy(JSON.parse(data))
        if (one === undefined) return
        told.push(one)
        hear?.(one)
      },
      signal,
    )
    return told
  },
  askWrongly: (daemon, headers) =>
    daemon.fetch('/process', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ input: 'hi' }),
    }),
}

// biome-ignore lint/suspicious/noExplicitAny: an event of any of three shapes
function toldBy({ object, status, delta, text, error, output }: any): Told | undefined {
  if (object === 'content') return delta ? { type: 'delta', text } : undefined
  if (object !== 'response') return undefined
  if (status === 'created') return { type: 'started' }
  if (status === 'completed') {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const contents = output.flatMap((message: any) => message.content)
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const whole = contents.map((content: any) => content.text ?? '').join('')
    return { type: 'terminal', status, text: whole }
  }
  if (status !== 'failed') return undefined
  return { type: 'terminal', status: error.code === 'CANCELED' ? 'canceled' : 'failed' }
}
