import { type Dispatcher, Pool } from 'undici'

/** No daemon answered, or something that is none did. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** What to do about it. */
  readonly next: string

  constructor(message: string, next: string, cause?: unknown) {
    super(message, { cause })
    this.next = next
  }
}

export interface JsonExchange {
  /** Undefined when the answer has no content, as that to a notification. */
  get(path: string): Promise<unknown>
  post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>
  close(): Promise<void>
}

export interface ExchangeOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** JSON to and from one daemon, over connections that are kept. */
export function createJsonExchange({ url, headers, timeoutMs }: ExchangeOptions): JsonExchange {
  const base = new URL(url.endsWith('/') ? url : `${url}/`)
  const pool = new Pool(base.origin, {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs },
  })

  return {
    get: (path) => exchange({ method: 'GET', path: pathOf(path), headers }),
    post: (path, body, signal) =>
      exchange({
        method: 'POST',
        path: pathOf(path),
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }),
    close: () => pool.close(),
  }

  function pathOf(path: string): string {
    return new URL(path, base).pathname
  }

  async function exchange(
    request: Dispatcher.RequestOptions & { signal?: AbortSignal | undefined },
  ): Promise<unknown> {
    let status: number
    let text: string
    try {
      const response = await pool.request(request)
      status = response.statusCode
      text = await response.body.text()
    } catch (error) {
      throw request.signal?.aborted ? error : lostConnection(url, error)
    }
    return status === 204 ? undefined : parseAnswer(text, `${url} answered ${status}`)
  }
}

function parseAnswer(text: string, event: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConnectionError(`${event} with something that is not JSON`, CHECK_WHO_LISTENS, error)
  }
}

export const CHECK_WHO_LISTENS = 'Check the URL: something that is not cacpd seems to listen there'

/** Failures before a connection stood: the daemon cannot have seen the call. */
const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function lostConnection(url: string, error: unknown): ConnectionError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return NEVER_CONNECTED.has(code)
    ? new ConnectionError(`No daemon answers at ${url} (${code})`, 'Start it with `cacpd start`', error)
    : new ConnectionError(
        `The connection to ${url} ended before the answer came (${code})`,
        'The call may have been carried out: repeat it with the same idempotency key',
        error,
      )
}
