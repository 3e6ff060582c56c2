import type { A2aVersion } from '../../../src/dialects/a2a/versions.ts'
import { a2aCaller, answerOf, legacyMessage, message, streamedText } from './a2a-client.ts'
import type { DialectAdapter, Told } from './adapter.ts'

const METHODS: Record<A2aVersion, string> = { '0.3': 'message/stream', '1.0': 'SendStreamingMessage' }
const newMessage = (version: A2aVersion, text: string) =>
  version === '0.3' ? legacyMessage(text) : message(text)

/** A2A in the words of the acceptance suite. */
const adapter = (version: A2aVersion): DialectAdapter => ({
  name: `A2A ${version}`,
  unread: 'goes on',
  refusesInBody: true,
  wrongField: 'message.parts',
  async ask(daemon, question, { signal, hear } = {}) {
    const told: Told[] = []
    await a2aCaller(daemon, version).stream(
      METHODS[version],
      { message: newMessage(version, question) },
      {
        ...(signal === undefined ? {} : { signal }),
        hear: (result) => {
          const one = toldBy(result)
          if (one === undefined) return
          told.push(one)
          hear?.(one)
        },
      },
    )
    return told
  },
  async askWrongly(daemon, headers) {
    const wrong = { message: { ...newMessage(version, 'hi'), parts: [] } }
    const reply = await a2aCaller(daemon, version, headers).post(METHODS[version], wrong)
    return { ...reply, json: answerOf(reply) }
  },
})

export const a2aLegacy = adapter('0.3')
export const a2a = adapter('1.0')

const ENDS: Readonly<Record<string, 'completed' | 'failed' | 'canceled'>> = {
  completed: 'completed',
  failed: 'failed',
  canceled: 'canceled',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
}

// biome-ignore lint/suspicious/noExplicitAny: a result of either version
function toldBy(result: any): Told | undefined {
  if (result.task !== undefined || result.kind === 'task') return { type: 'started' }
  const status = ENDS[(result.statusUpdate ?? result).status?.state]
  if (status !== undefined) return { type: 'terminal', status }
  const text = streamedText([result])
  return text === '' ? undefined : { type: 'delta', text }
}
