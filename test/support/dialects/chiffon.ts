import { type DialectAdapter, readStream, type Told } from './adapter.ts'
import { anotherRequest, type Message, postMessage } from './chiffon-client.ts'

const asking = (question: string): Message =>
  anotherRequest({ work_type: 'answer_question', parameters: { question }, hints: {} })

/** The Chiffon agent protocol in the words of the acceptance suite. It knows no canceled work, only failed. */
export const chiffon: DialectAdapter = {
  name: 'the Chiffon agent protocol',
  unread: 'goes on',
  wrongField: 'payload.task_id',
  async ask(daemon, question, { signal, hear } = {}) {
    const told: Told[] = []
    const take = (message: Message) => {
      const one = toldBy(message, told.length === 0)
      told.push(one)
      hear?.(one)
    }
    const options = { path: '/api/agent/message', body: asking(question) }
    await readStream(daemon, options, ({ data }) => take(JSON.parse(data)), signal)
    return told
  },
  askWrongly: (daemon, headers) =>
    postMessage(daemon, anotherRequest({ task_id: 'none' }), { accept: 'text/event-stream', ...headers }),
}

function toldBy({ type, payload }: Message, isFirst: boolean): Told {
  if (type === 'work_status')
    return isFirst ? { type: 'started' } : { type: 'delta', text: payload.step.output }
  const isSuccess = type === 'work_result' && payload.status === 'success'
  return isSuccess
    ? { type: 'terminal', status: 'completed', text: payload.output }
    : { type: 'terminal', status: 'failed' }
}
