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
import { askedOf, hasBody } from './read-asked.ts'

export interface Observed {
  readonly passed: Passed
  readonly exchange: Exchange
}

export type RunningProxy = Awaited<ReturnType<typeof startProxy>>

interface ProxyRules {
  readonly upstream: URL
  readonly port: number
  /** Called once for every exchange, when it is over. */
  readonly observe: (observed: Observed) => void
}

/**
 * Passes requests on to another server and answers back, with all of their headers and bytes as they are; only `Host`
 * names the other server. It never answers itself: where no answer comes, the connection ends.
 */
export async function startProxy({ upstream, port, observe }: ProxyRules) {
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
  const underWay = new Set<() => void>()
  const pass = (request: IncomingMessage, response: ServerResponse) => {
    const end = passOn({ request, response, ask, origin: upstream.origin, observe })
    underWay.add(end)
    response.once('close', () => underWay.delete(end))
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
      for (const end of underWay) end()
    },
  }
}

interface Given extends Pick<ProxyRules, 'observe'> {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly ask: (request: IncomingMessage) => ClientRequest
  readonly origin: string
}

/** Passes one exchange on. Answers what tells of it when it is over, once. */
function passOn({ request, response, ask, origin, observe }: Given): () => void {
  const startedAt = new Date().toISOString()
  const began = performance.now()
  const [askedBody, answeredBody] = [new KeptBody(), new KeptBody()]
  let answer: IncomingMessage | undefined
  let isBroken = false
  let isOver = false

  function send(mayRepeat: boolean): void {
    const outgoing = ask(request)
    outgoing.on('response', passBack)
    outgoing.on('continue', () => response.writeContinue())
    outgoing.on('information', ({ statusCode, headers }) => {
      if (statusCode === 102) response.writeProcessing()
      if (statusCode === 103 && headers['link'] !== undefined)
        response.writeEarlyHints({ link: headers['link'] })
    })
    outgoing.on('error', () => {
      // A connection that was kept may have ended at this very moment; nothing was asked then.
      if (mayRepeat && outgoing.reusedSocket && answer === undefined && !hasBody(request)) return send(false)
      // It sent more than it had promised.
      if (answer?.complete !== true) breakOff()
    })
    response.once('close', () => outgoing.destroy())
    if (hasBody(request)) request.pipe(outgoing)
    else outgoing.end()
  }

  function passBack(came: IncomingMessage): void {
    answer = came
    came.on('data', answeredBody.add)
    came.once('error', breakOff)
    response.sendDate = false
    // Whatever it says of the connection it says itself.
    response.removeHeader('connection')
    response.writeHead(came.statusCode ?? 502, came.statusMessage ?? '', came.rawHeaders)
    came.pipe(response)
    // Whoever waits for a stream wants to know that it has begun, also where nothing comes yet.
    setImmediate(() => response.flushHeaders())
  }

  function breakOff(): void {
    isBroken = true
    response.destroy()
  }

  function end(): void {
    if (isOver) return
    isOver = true
    const {
      statusCode: status = 0,
      statusMessage: statusText = '',
      rawHeaders = [],
      headers = {},
    } = answer ?? {}
    const how = answer?.complete === true ? 'whole' : isBroken ? 'broken' : 'left'
    const head = askedOf(request)
    observe({
      passed: {
        startedAt,
        millis: Math.round(performance.now() - began),
        method: head.method,
        url: request.url ?? '/',
        origin,
        requestHeaders: request.rawHeaders,
        status,
        statusText,
        answerHeaders: rawHeaders,
      },
      exchange: {
        asked: { ...head, body: askedBody.content(request.headers, request.complete ? 'whole' : 'left') },
        answered: answer && { status, headers, body: answeredBody.content(headers, how) },
      },
    })
  }

  request.on('data', askedBody.add)
  response.once('close', end)
  send(true)
  return end
}

/** Names and values in turn, as Node reads and writes them. */
function withHost(raw: readonly string[], host: string): string[] {
  const headers = [...raw]
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]?.toLowerCase() === 'host') headers[index + 1] = host
  return headers
}

/** Passes on the wish for another protocol. Once both sides agree on it, no contract speaks of what goes by. */
function passUpgrade(outgoing: ClientRequest, socket: Duplex, head: Buffer): void {
  const end = () => {
    socket.destroy()
    outgoing.destroy()
  }
  const headOf = ({ httpVersion, statusCode, statusMessage, rawHeaders }: IncomingMessage) => {
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
    )
    return `${[`HTTP/${httpVersion} ${statusCode} ${statusMessage}`, ...lines].join('\r\n')}\r\n\r\n`
  }
  outgoing.on('upgrade', (answer, other, first) => {
    socket.write(headOf(answer))
    socket.write(first)
    other.write(head)
    other.pipe(socket).pipe(other)
    other.on('error', end)
    other.on('close', end)
  })
  outgoing.on('response', (answer) => {
    socket.write(headOf(answer))
    answer.pipe(socket)
  })
  outgoing.on('error', end)
  socket.on('error', end)
  socket.on('close', end)
  outgoing.end()
}
