import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { request } from 'undici'
import type { AgentSettings } from '../../../src/protocol/agent/settings.ts'
import type { Reply, TestDaemon } from '../daemons/daemon.ts'
import { node } from '../daemons/scripts.ts'

/** What every dialect tells about a run, whatever its words for it. */
export type Told =
  | { readonly type: 'started' }
  | { readonly type: 'delta'; readonly text: string }
  | {
      readonly type: 'terminal'
      readonly status: 'completed' | 'failed' | 'canceled'
      /** The whole text of the answer, where the dialect says it once more in the end. */
      readonly text?: string
    }

export interface AskOptions {
  /** Aborted, the reader leaves. */
  readonly signal?: AbortSignal
  /** Called with everything that is told, as it comes. */
  readonly hear?: (told: Told) => void
}

/** One dialect, as the acceptance suite sees it. */
export interface DialectAdapter {
  readonly name: string
  /** What becomes of a run whose reader has left. */
  readonly unread: 'canceled' | 'goes on'
  /** Asks the default agent this question in a stream; resolves with all that was told when the stream is over. */
  ask(daemon: TestDaemon, question: string, options?: AskOptions): Promise<Told[]>
  /** Where a refusal is an answer like any other, with status 200, as in JSON-RPC; a missing key is 401 all the same. */
  readonly refusesInBody?: true
  readonly wrongField: string
  /** Something that this dialect refuses because of that field, sent with these headers. */
  askWrongly(daemon: TestDaemon, headers: Readonly<Record<string, string>>): Promise<Reply>
}

/** Sends a body and reads the event stream that answers it, event by event. */
export async function readStream(
  { url, key }: TestDaemon,
  { path, body, headers = {} }: { path: string; body: unknown; headers?: Record<string, string> },
  take: (event: EventSourceMessage) => void,
  signal?: AbortSignal,
): Promise<void> {
  const reply = await request(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode}: ${await reply.body.text()}`)
  const parser = createParser({ onEvent: take })
  const decoder = new TextDecoder()
  try {
    for await (const chunk of reply.body) parser.feed(decoder.decode(chunk as Buffer, { stream: true }))
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}

/** What the agent of the acceptance suite is told to do, as its question. */
export interface Part {
  readonly say: readonly string[]
  /** How it goes on after that; it ends when nothing is said. */
  readonly ending?: 'failure' | 'silence'
}

export const question = (part: Part): string => JSON.stringify(part)

/** An agent that plays the part which the question describes. */
export const PLAYER: AgentSettings = {
  command: node(`
    let asked = ''
    for await (const chunk of process.stdin) asked += chunk
    const { say, ending } = JSON.parse(asked)
    for (const delta of say) console.log(JSON.stringify({ type: 'text', delta }))
    if (ending === 'failure') throw new Error('a secret of the inside')
    if (ending === 'silence') setTimeout(() => {}, 60_000)
  `),
  output: 'events',
  commands: {},
  allow: [],
  concurrency: 8,
}
