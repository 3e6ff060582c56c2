import {
  type ClientRequest,
  createServer,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Passed } from '../../domain/mock/har.ts'
import type { Exchange } from '../../domain/mock/judge.ts'
import { KeptBody } from './kept-body.ts'
import { closeServer, listenLocally } from './listen.ts'
import { passUpgrade } from './pass-upgrade.ts'
import { askedOf, hasBody } from './read-asked.ts'

/** An exchange that went through the proxy. */
export interface Observed {
  readonly passed: Passed
  readonly exchange: Exchange
}

export interface RunningProxy extends AsyncDisposable {
  readonly url: string
}

export interface ProxyRules {
  readonly upstream: URL
  readonly port: number
  /** Called once for every exchange, when it is over. */
  readonly observe: (observed: Observed) => void
}

/**
 * Passes requests on to another server and answers back, with all of their headers and bytes as they are; only `Host`
 * names the other server. It never answers itself: where no answer comes, the connection ends.
 */
export async function startProxy({ upstream, port, observe }: ProxyRules): Promise<RunningProxy> {
  const isSecure = upstream.protocol === 'https:'
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const base = upstream.pathname.replace(/\/$/, '')

  const ask = (request: IncomingMessage): ClientRequest =>
    (isSecure ? httpsRequest : httpRequest)({
      hostname: upstream.hostname.replace(/^\[|\]$/g, ''),
      port: upstream.port === '' ? (isSecure ? 443 : 80) : upstream.port,
      method: request.method,
      path: `${base}${request.url ?? '/'}`,
      headers: withHost(request.rawHeaders, upstream.host),
      setHost: false,
      agent,
    })

  const server = createServer({ keepAliveTimeout: 65_000 })
  const underWay = new Set<Passing>()
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const passing = new Passing({ request, response, ask, origin: upstream.origin, observe })
    underWay.add(passing)
    response.once('close', () => {
      passing.end()
      underWay.delete(passing)
    })
    passing.begin()
  }
  server.on('request', pass)
  // Whether the body is wanted is for the other server to say.
  server.on('checkContinue', pass)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    passUpgrade(ask(request), socket, head),
  )
  const url = await listenLocally(server, port)
  return {
    url,
    async [Symbol.asyncDispose]() {
      await closeServer(server)
      agent.destroy()
      for (const passing of underWay) passing.end()
    },
  }
}

interface Given {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly ask: (request: IncomingMessage) => ClientRequest
  readonly origin: string
  readonly observe: (observed: Observed) => void
}

/** One exchange on its way. */
class Passing {
  readonly #given: Given
  readonly #startedAt = new Date().toISOString()
  readonly #began = performance.now()
  readonly #asked = new KeptBody()
  readonly #answered = new KeptBody()
  #answer: IncomingMessage | undefined
  #isBroken = false
  #isOver = false

  constructor(given: Given) {
    this.#given = given
  }

  begin(): void {
    this.#given.request.on('data', this.#asked.add)
    this.#send(true)
  }

  #send(mayRepeat: boolean): void {
    const { request, response, ask } = this.#given
    const outgoing = ask(request)
    outgoing.on('response', (answer) => this.#passBack(answer))
    outgoing.on('continue', () => response.writeContinue())
    outgoing.on('information', ({ statusCode, headers }) => {
      if (statusCode === 102) response.writeProcessing()
      if (statusCode === 103 && headers['link'] !== undefined)
        response.writeEarlyHints({ link: headers['link'] })
    })
    outgoing.on('error', () => {
      // A connection that was kept may have ended at this very moment; nothing was asked then.
      if (mayRepeat && outgoing.reusedSocket && this.#answer === undefined && !hasBody(request))
        return this.#send(false)
      // It sent more than it had promised.
      if (this.#answer?.complete === true) return
      this.#isBroken = true
      response.destroy()
    })
    response.once('close', () => outgoing.destroy())
    if (hasBody(request)) request.pipe(outgoing)
    else outgoing.end()
  }

  #passBack(answer: IncomingMessage): void {
    const { response } = this.#given
    this.#answer = answer
    answer.on('data', this.#answered.add)
    answer.once('error', () => {
      this.#isBroken = true
      response.destroy()
    })
    response.sendDate = false
    // Whatever it says of the connection it says itself.
    response.removeHeader('connection')
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', answer.rawHeaders)
    answer.pipe(response)
    // Whoever waits for a stream wants to know that it has begun, also where nothing comes yet.
    setImmediate(() => response.flushHeaders())
  }

  /** Tells what there is to tell, once. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { request, origin, observe } = this.#given
    const answer = this.#answer
    const end = answer?.complete === true ? 'whole' : this.#isBroken ? 'broken' : 'left'
    const head = askedOf(request)
    observe({
      passed: {
        startedAt: this.#startedAt,
        millis: Math.round(performance.now() - this.#began),
        method: head.method,
        url: request.url ?? '/',
        origin,
        requestHeaders: request.rawHeaders,
        status: answer?.statusCode ?? 0,
        statusText: answer?.statusMessage ?? '',
        answerHeaders: answer?.rawHeaders ?? [],
      },
      exchange: {
        asked: { ...head, body: this.#asked.content(request.headers, request.complete ? 'whole' : 'left') },
        answered:
          answer === undefined
            ? undefined
            : {
                status: answer.statusCode ?? 0,
                headers: answer.headers,
                body: this.#answered.content(answer.headers, end),
              },
      },
    })
  }
}

/** Names and values in turn, as Node reads and writes them. */
function withHost(raw: readonly string[], host: string): string[] {
  const headers = [...raw]
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]?.toLowerCase() === 'host') headers[index + 1] = host
  return headers
}
