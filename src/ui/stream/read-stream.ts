import { createSseParser } from '../../protocol/sse/parser.ts'
import { isObject } from '../call/fault.ts'
import { ask } from '../call/http.ts'
import { readEvent, type StreamEvent } from './event.ts'

/** How a connection to the stream ended. */
export type StreamEnd =
  | { readonly is: 'lost' }
  | { readonly is: 'refused' }
  /** The place to go on from is not in this store; `cursor` is one that is. */
  | { readonly is: 'stale'; readonly cursor: string | undefined }

interface Heard {
  readonly since: string | undefined
  readonly signal: AbortSignal
  /** Called for every piece that arrives, also for those that only say that the connection is alive. */
  hear(events: readonly StreamEvent[]): void
}

const LONGEST_EVENT = 4 * 1024 * 1024

/** Reads the stream until it ends. `EventSource` could not send the half of the session that is a header. */
export async function readStream({ since, signal, hear }: Heard): Promise<StreamEnd> {
  try {
    const query = new URLSearchParams({ values: 'no', local: 'yes', kind: KINDS })
    if (since !== undefined) query.set('since', since)
    const response = await ask(`/events?${query}`, { signal })
    if (response.status === 401) return { is: 'refused' }
    if (response.status === 410) return { is: 'stale', cursor: cursorIn(await response.json()) }
    if (!response.ok || response.body === null) return { is: 'lost' }
    const parser = createSseParser(LONGEST_EVENT)
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { is: 'lost' }
      hear(parser.feed(decoder.decode(value, { stream: true })).flatMap((text) => readEvent(text) ?? []))
    }
  } catch {
    return { is: 'lost' }
  }
}

/** Also the receipts, by which one sees that something arrived. */
const KINDS = 'project,repo,contract,packet,receipt'

function cursorIn(answer: unknown): string | undefined {
  const error = isObject(answer) ? answer['error'] : undefined
  const cursor = isObject(error) ? error['cursor'] : undefined
  return typeof cursor === 'string' ? cursor : undefined
}
