import { Agent } from 'undici'
import type { FetchFile, PeerClient } from '../engine/ports.ts'
import { Fault } from '../protocol/fault.ts'

/** What a peer may answer at most. */
const ANSWER_BYTES = 64 * 1024 * 1024

export interface PeerClientOptions {
  /** Who we are, in the headers that the reference implementation sends too. */
  agentId: string
  endpoint: string
}

export interface HttpPeerClient extends PeerClient {
  readonly file: FetchFile
  /** Breaks off whatever is still going on. */
  destroy(): Promise<void>
}

/** Calls to peers over undici: kept-alive connections, no redirects, an end to every wait. */
export function createPeerClient({ agentId, endpoint }: PeerClientOptions): HttpPeerClient {
  const agent = new Agent({ connections: 2, keepAliveTimeout: 60_000, connect: { timeout: 5000 } })
  const identity = { 'x-agent-id': agentId, 'x-source-endpoint': endpoint }

  async function exchange(url: string, timeoutMillis: number, body: string | null): Promise<string> {
    const { origin, pathname, search } = new URL(url)
    try {
      const reply = await agent.request({
        origin,
        path: pathname + search,
        method: body === null ? 'GET' : 'POST',
        headers: body === null ? identity : { ...identity, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(timeoutMillis),
      })
      const text = await readText(reply.body)
      if (reply.statusCode < 300) return text
      throw refused(origin, reply.statusCode)
    } catch (error) {
      throw error instanceof Fault ? error : unreachable(origin, error)
    }
  }

  async function* file(url: string, timeoutMillis: number): AsyncGenerator<Uint8Array> {
    const { origin, pathname } = new URL(url)
    try {
      const signal = AbortSignal.timeout(timeoutMillis)
      const { statusCode, body } = await agent.request({
        origin,
        path: pathname,
        method: 'GET',
        headers: identity,
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
    get: (url, timeoutMillis) => exchange(url, timeoutMillis, null),
    post: (url, body, timeoutMillis) => exchange(url, timeoutMillis, body),
    destroy: () => agent.destroy(),
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES) throw new Fault('unavailable', 'The peer answered more than anybody asked for')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const refused = (origin: string, status: number): Fault =>
  new Fault('unavailable', `${origin} answered ${status}`)

function unreachable(origin: string, cause: unknown): Fault {
  const { code, name } = cause as { code?: string; name?: string }
  const why = name === 'TimeoutError' ? 'it did not answer in time' : (code ?? 'the connection failed')
  return new Fault('unavailable', `${origin} cannot be reached: ${why}`, { cause })
}
