import type { Addressee, FetchFile, PeerClient } from '../../engine/ports/ports.ts'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { createOutboundAgents, type OutboundOptions } from './agents.ts'
import { ask } from './ask.ts'

const MOST_OF_REASON = 300

export interface HttpPeerClient extends PeerClient {
  readonly file: FetchFile
  /** Breaks off whatever is still going on. */
  destroy(): Promise<void>
}

/** Calls to peers over undici: kept-alive connections, no redirects, an end to every wait. */
export function createPeerClient(options: OutboundOptions): HttpPeerClient {
  const { callTo, visitTo, destroy } = createOutboundAgents(options, {
    connections: 2,
    keepAliveTimeout: 60_000,
  })

  async function exchange(
    url: string,
    timeoutMillis: number,
    { body, to, signal }: { body: string | null; to: Addressee | undefined; signal: AbortSignal | undefined },
  ): Promise<string> {
    const { origin, pathname, search } = new URL(url)
    try {
      const isGet = body === null
      const { agent, headers } = await (isGet ? visitTo(to) : callTo(to))
      const { status, text } = await ask(
        agent,
        {
          origin,
          path: pathname + search,
          method: isGet ? 'GET' : 'POST',
          headers: isGet ? headers : { ...headers, 'content-type': 'application/json' },
          body,
        },
        { millis: timeoutMillis, signal, most: isGet ? LIMITS.foreignDocument : LIMITS.foreignAnswer },
      )
      if (status < 300) return text
      throw refused(origin, status, text)
    } catch (error) {
      throw error instanceof Fault ? error : unreachable(origin, error)
    }
  }

  async function* file(url: string, timeoutMillis: number, to?: Addressee): AsyncGenerator<Uint8Array> {
    const { origin, pathname } = new URL(url)
    try {
      const signal = AbortSignal.timeout(timeoutMillis)
      const { agent, headers } = await callTo(to)
      const { statusCode, body } = await agent.request({
        origin,
        path: pathname,
        method: 'GET',
        headers,
        signal,
      })
      if (statusCode === 200) return yield* body
      await body.dump()
      throw refused(origin, statusCode)
    } catch (error) {
      throw error instanceof Fault ? error : unreachable(origin, error)
    }
  }

  return {
    file,
    get: (url, timeoutMillis, to, signal) => exchange(url, timeoutMillis, { body: null, to, signal }),
    post: (url, body, timeoutMillis, to, signal) => exchange(url, timeoutMillis, { body, to, signal }),
    destroy,
  }
}

/** Answers that stay the same however often the same is asked. */
const LASTING: ReadonlySet<number> = new Set([400, 403, 404, 409])

function refused(origin: string, status: number, text = ''): Fault {
  const { message, next } = reasonIn(text)
  const kind = LASTING.has(status) ? 'conflict' : 'unavailable'
  return new Fault(kind, `${origin} answered ${status}${message === undefined ? '' : `: ${message}`}`, {
    ...(next === undefined ? {} : { next: `It says: ${next}` }),
    data: { status },
  })
}

/** What a daemon says about why it refused and what helps, which is a stranger's text. */
function reasonIn(text: string): { message?: string | undefined; next?: string | undefined } {
  try {
    const answer: unknown = JSON.parse(text)
    const error = isJsonObject(answer) ? answer['error'] : undefined
    return isJsonObject(error) ? { message: shortened(error['message']), next: shortened(error['next']) } : {}
  } catch {
    return {}
  }
}

const shortened = (words: unknown): string | undefined =>
  typeof words === 'string' ? words.slice(0, MOST_OF_REASON) : undefined

function unreachable(origin: string, cause: unknown): Fault {
  const { code, name } = cause as { code?: string; name?: string }
  if (code !== undefined && /CERT|ALTNAME|UNABLE_TO_(?:GET|VERIFY)/.test(code))
    return new Fault('unavailable', `${origin} is not called: nobody vouches for its certificate (${code})`, {
      next: 'Ask its operator for an invite (`cacpd invite`), which names the certificate',
      cause,
    })
  const why = name === 'TimeoutError' ? 'it did not answer in time' : (code ?? 'the connection failed')
  const next = NEXT_STEPS[code ?? '']
  return new Fault('unavailable', `${origin} cannot be reached: ${why}`, {
    ...(next === undefined ? {} : { next }),
    cause,
  })
}

const NEXT_STEPS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'See there with `cacpd status` whether that daemon runs, and at which URL',
  ENOTFOUND: 'Check the name: nobody here knows it',
}
