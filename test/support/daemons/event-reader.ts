import { CloudEvent } from 'cloudevents'
import { createParser } from 'eventsource-parser'
import { type Dispatcher, request } from 'undici'

export interface ReadEvent {
  /** Of the stream. */
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  data: any
}

export interface EventReader extends AsyncDisposable {
  /** The next one; throws when the stream ends before. */
  next(): Promise<ReadEvent>
  /** All until the stream ends, by itself or because it broke. */
  rest(): Promise<ReadEvent[]>
  comments: string[]
}

/**
 * Follows `/events` as a strict reader: every event has to be a valid CloudEvent without a name, and with an id unless it
 * is about this daemon alone.
 */
export async function followEvents(
  url: string,
  headers: Record<string, string>,
  query = '',
  dispatcher?: Dispatcher,
): Promise<EventReader> {
  const leaving = new AbortController()
  const reply = await request(`${url}/events${query}`, {
    headers,
    signal: leaving.signal,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  })
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${await reply.body.text()}`)
  const comments: string[] = []
  const events = readAll(reply.body, comments)
  return {
    comments,
    next: async () => {
      const { value, done } = await events.next()
      if (done === true) throw new Error('the stream has ended')
      return value
    },
    rest: async () => {
      const rest: ReadEvent[] = []
      for await (const event of events) rest.push(event)
      return rest
    },
    [Symbol.asyncDispose]: async () => leaving.abort(),
  }
}

async function* readAll(body: AsyncIterable<Buffer>, comments: string[]): AsyncGenerator<ReadEvent> {
  let ready: ReadEvent[] = []
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      // Strict: throws when an attribute is missing or malformed.
      const cloudEvent = new CloudEvent(JSON.parse(data) as object, true)
      const isLocal = cloudEvent.type === 'dev.cacp.local.changed'
      if ((id === undefined) !== isLocal || event !== undefined)
        throw new Error(`an event without an id, or named: ${data}`)
      ready.push({ id: id ?? '', type: cloudEvent.type, data: cloudEvent.data })
    },
    onComment: (comment) => comments.push(comment),
  })
  const decoder = new TextDecoder()
  try {
    for await (const bytes of body) {
      parser.feed(decoder.decode(bytes, { stream: true }))
      const events = ready
      ready = []
      yield* events
    }
  } catch (error) {
    // Whoever reads on goes on from the last event.
    if (!/aborted|terminated|closed|reset|socket/i.test(String(error))) throw error
  }
}
