import { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
import { createConnector } from './outbound.ts'

/** No daemon answered, or something that is none did. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** What to do about it. */
  readonly next: string

  constructor(message: string, next: string, cause?: unknown) {
    // An undefined cause would be printed as such.
    super(message, cause === undefined ? undefined : { cause })
    this.next = next
  }
}

export interface JsonExchange {
  /** Undefined when the answer has no content, as that to a notification. */
  get(path: string): Promise<unknown>
  /** `moreMs`: how much longer than usual the answer may take. */
  post(path: string, body: unknown, signal?: AbortSignal, moreMs?: number): Promise<unknown>
  /** Sends bytes as they come; what is thrown by their source is thrown here. */
  upload(path: string, bytes: Bytes, signal?: AbortSignal): Promise<unknown>
  /** The bytes, or what was answered instead. */
  download(path: string, signal?: AbortSignal): Promise<{ bytes: Uint8Array } | { answer: unknown }>
  /** The text as it comes, or what was answered instead. */
  stream(path: string, signal?: AbortSignal): Promise<{ text: AsyncIterable<string> } | { answer: unknown }>
  close(): Promise<void>
}

export interface Bytes {
  readonly chunks: AsyncIterable<Uint8Array>
  /** If known: the daemon can then refuse before it has read them. */
  readonly size?: number | undefined
}

export interface ExchangeOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** SHA-256 in hex of the only certificate that is accepted. */
  readonly certificate?: string | undefined
}

/** JSON to and from one daemon, over connections that are kept. */
export function createJsonExchange({ url, headers, timeoutMs, certificate }: ExchangeOptions): JsonExchange {
  const base = new URL(url.endsWith('/') ? url : `${url}/`)
  const pool = new Pool(base.origin, {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect:
      certificate === undefined
        ? { timeout: timeoutMs }
        : createConnector({ reach: 'operator', certificate }, { timeout: timeoutMs }),
  })

  return {
    get: (path) => exchange({ method: 'GET', path: pathOf(path), headers }),
    post: (path, body, signal, moreMs = 0) =>
      exchange({
        headersTimeout: timeoutMs + moreMs,
        method: 'POST',
        path: pathOf(path),
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }),
    upload: async (path, { chunks, size }, signal) => {
      const source = watched(chunks)
      try {
        return await exchange({
          method: 'POST',
          path: pathOf(path),
          headers: {
            ...headers,
            'content-type': 'application/octet-stream',
            ...(size === undefined ? {} : { 'content-length': String(size) }),
          },
          body: source.chunks,
          signal,
        })
      } catch (error) {
        throw source.failure() ?? error
      }
    },
    download: async (path, signal) => {
      const { status, body } = await send({ method: 'GET', path: pathOf(path), headers, signal })
      return status === 200 ? { bytes: body } : { answer: parseAnswer(body.toString(), status) }
    },
    stream: async (path, signal) => {
      try {
        const { statusCode, body } = await pool.request({
          method: 'GET',
          path: pathOf(path) + new URL(path, base).search,
          headers,
          // Nobody knows when something happens next.
          bodyTimeout: 0,
          signal,
        })
        return statusCode === 200
          ? { text: textOf(body) }
          : { answer: parseAnswer(Buffer.from(await body.arrayBuffer()).toString(), statusCode) }
      } catch (error) {
        throw signal?.aborted ? error : lostConnection(url, error)
      }
    },
    close: () => pool.close(),
  }

  function pathOf(path: string): string {
    return new URL(path, base).pathname
  }

  async function exchange(request: Request): Promise<unknown> {
    const { status, body } = await send(request)
    return status === 204 ? undefined : parseAnswer(body.toString(), status)
  }

  async function send(request: Request): Promise<{ status: number; body: Buffer }> {
    try {
      const { statusCode, body } = await pool.request(request)
      return { status: statusCode, body: Buffer.from(await body.arrayBuffer()) }
    } catch (error) {
      throw request.signal?.aborted ? error : lostConnection(url, error)
    }
  }

  function parseAnswer(text: string, status: number): unknown {
    try {
      return JSON.parse(text)
    } catch (error) {
      const message = `${url} answered ${status} with something that is not JSON`
      throw new ConnectionError(message, CHECK_WHO_LISTENS, error)
    }
  }
}

type Request = Dispatcher.RequestOptions & { signal?: AbortSignal | undefined }

async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
}

/** The same chunks, and whether it was their source that failed. */
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
  return { chunks: Readable.from(watch(), { objectMode: false }), failure: () => failure }
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
