import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import type { OutboundRequest } from './outbound-request.ts'
import { readEvents } from './read-body.ts'
import { createRequester } from './request.ts'

/** No daemon answered, or something answered that is no daemon. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly next: string

  constructor(message: string, next: string, cause?: unknown) {
    // An undefined cause would be printed as such.
    super(message, cause === undefined ? undefined : { cause })
    this.next = next
  }
}

/** What was answered in the place of bytes or events. */
interface Answer {
  readonly answer: unknown
}

export interface Bytes {
  readonly chunks: AsyncIterable<Uint8Array>
  /** If known: the daemon can then refuse before it has read them. */
  readonly size?: number | undefined
}

export interface DaemonHttpOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** SHA-256 in hex of the only certificate that is accepted. */
  readonly certificate?: string | undefined
}

/** In characters: the largest entity that two replicas can make together, and the envelope around it. */
const LONGEST_EVENT = 16 * 1024 * 1024

/** HTTP to and from one daemon. What is thrown is a ConnectionError, or the reason of the signal. */
export function createDaemonHttp({ url, headers, timeoutMs, certificate }: DaemonHttpOptions) {
  const base = new URL(url.endsWith('/') ? url : `${url}/`)
  base.search = ''
  const requester = createRequester({
    connectMillis: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    failure: (cause, { signal }) => (signal?.aborted ? cause : lostConnection(url, cause)),
  })
  // The user of the client named the URL: without a certificate to pin, it may lie anywhere.
  const rules = certificate === undefined ? undefined : ({ reach: 'operator', certificate } as const)
  const to = (path: string) => ({ url: new URL(path, base), target: () => ({ rules, headers }) })

  return {
    /** The JSON of the answer. Undefined when it has no content, like the answer to a notification. */
    get: (path: string): Promise<unknown> => json(to(path)),
    /** `moreMs`: how much longer than usual it may take until the answer begins. */
    post: (path: string, body: unknown, signal?: AbortSignal, moreMs = 0): Promise<unknown> =>
      json({ ...to(path), body: JSON.stringify(body), signal, headersTimeout: timeoutMs + moreMs }),
    /** Sends bytes as they come; what is thrown by their source is thrown here. */
    async upload(path: string, { chunks, size }: Bytes, signal?: AbortSignal): Promise<unknown> {
      const source = watched(chunks)
      const headers = {
        'content-type': 'application/octet-stream',
        ...(size === undefined ? {} : { 'content-length': String(size) }),
      }
      try {
        return await json({ ...to(path), headers, body: source.body, signal })
      } catch (error) {
        throw source.failure() ?? error
      } finally {
        source.body.destroy()
      }
    },
    /** The bytes, or the JSON that was answered instead. */
    async download(path: string, signal?: AbortSignal): Promise<{ bytes: Uint8Array } | Answer> {
      const { status, body } = await requester.open({ ...to(path), signal })
      return status === 200 ? { bytes: await buffer(body) } : { answer: parsed(await text(body), status) }
    },
    /** The data of each event of a stream as it comes, or the JSON that was answered instead. */
    async events(path: string, signal?: AbortSignal): Promise<{ events: AsyncIterable<string> } | Answer> {
      // Nobody knows when the next event happens.
      const { status, body } = await requester.open({ ...to(path), signal, bodyTimeout: 0 })
      return status === 200
        ? { events: readEvents(body, LONGEST_EVENT) }
        : { answer: parsed(await text(body), status) }
    },
    close: requester.close,
  }

  async function json(request: OutboundRequest): Promise<unknown> {
    const { status, text } = await requester.answer(request)
    return status === 204 ? undefined : parsed(text, status)
  }

  function parsed(text: string, status: number): unknown {
    try {
      return JSON.parse(text)
    } catch (error) {
      const message = `${url} answered ${status} with something that is not JSON`
      throw new ConnectionError(message, CHECK_WHO_LISTENS, error)
    }
  }
}

/** A stream of the chunks, which tells whether it was their source that failed. */
function watched(chunks: AsyncIterable<Uint8Array>) {
  let failure: unknown
  async function* watch(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
    } catch (error) {
      failure = error
      throw error
    }
  }
  const body = Readable.from(watch(), { objectMode: false })
  // A stream without a listener for errors would end the process with its error.
  body.on('error', () => {})
  return { body, failure: () => failure }
}

export const CHECK_WHO_LISTENS = 'Check the URL: something that is not cacpd seems to listen there'

/** Failures before a connection stood: the daemon cannot have seen the call. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function lostConnection(url: string, error: unknown): ConnectionError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return NEVER_CONNECTED.has(code)
    ? new ConnectionError(`No daemon answers at ${url} (${code})`, 'Start it with `cacpd up -d`', error)
    : new ConnectionError(
        `The connection to ${url} ended before the answer came (${code})`,
        'The call may have been carried out: repeat it with the same idempotency key',
        error,
      )
}
