import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Agent } from 'undici'
import { PlainPeer, type PlainPeerOptions } from './plain-peer.ts'
import type { Headers, Send } from './registry.ts'

export interface ServedPlainPeer extends AsyncDisposable {
  readonly peer: PlainPeer
  readonly url: string
  /** All that arrived at POST /, as it was sent. */
  readonly requests: { readonly body: unknown; readonly headers: Headers }[]
  /** As a process that ends: connections break, the port refuses. */
  stop(): Promise<void>
  /** As the process coming back, at the same port: state kept, peers forgotten. */
  start(): Promise<void>
}

export interface ServeOptions extends Partial<Omit<PlainPeerOptions, 'endpoint'>> {
  /** How long it waits for a peer; the reference's 10 s unless told. */
  readonly timeoutMs?: number
}

/** What the reference calls its agent unless told otherwise. */
export const defaultAgentId = (repoName: string): string => `agent-${repoName}`

/** A plain peer on a free port of 127.0.0.1. */
export async function servePlainPeer(options: ServeOptions = {}): Promise<ServedPlainPeer> {
  const { timeoutMs = 10_000, ...given } = options
  const requests: ServedPlainPeer['requests'] = []
  const dispatcher = new Agent()
  let server = createServer(listener)
  const { port } = await listen(server, 0)
  const url = `http://127.0.0.1:${port}`
  const { repoName = 'plain-api' } = given
  const peer = new PlainPeer({
    agentId: defaultAgentId(repoName),
    repoName,
    clock: Date.now,
    newId: randomUUID,
    send: sendBy(dispatcher, timeoutMs),
    ...given,
    endpoint: url,
  })

  return {
    peer,
    url,
    requests,
    stop: () => close(server),
    start: async () => {
      peer.restart()
      server = createServer(listener)
      await listen(server, port)
    },
    [Symbol.asyncDispose]: async () => {
      await close(server)
      await dispatcher.destroy()
    },
  }

  function listener(request: IncomingMessage, response: ServerResponse): void {
    answer(request, response).catch(() => response.destroy())
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request
    const { pathname } = new URL(request.url ?? '/', url)
    const sent = parse(await text(request))
    if (method === 'POST' && pathname === '/') requests.push({ body: sent, headers })
    const { status, body } = await peer.handleHttp(method, pathname, sent, headers)
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' })
    response.end(isText ? body : JSON.stringify(body))
  }
}

function sendBy(dispatcher: Agent, timeoutMs: number): Send {
  return async (endpoint, body, headers) => {
    const { origin, pathname: path } = new URL(endpoint)
    const reply = await dispatcher.request({
      origin,
      path,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = await reply.body.text()
    if (reply.statusCode >= 400) throw new Error(`${endpoint} answered ${reply.statusCode}`)
    return JSON.parse(answer)
  }
}

async function listen(server: Server, port: number): Promise<AddressInfo> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server.address() as AddressInfo
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
