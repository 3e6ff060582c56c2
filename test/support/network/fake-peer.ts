import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SYNC_FORMAT } from '../../../src/methods/peers/replication.ts'

export interface FakePeer extends AsyncDisposable {
  readonly url: string
  readonly agentId: string
  readonly repoName: string
  /** What to send to POST /peers/register for it. */
  readonly registration: { agentId: string; endpoint: string; repoName: string }
  /** Verb and path of every request so far. */
  readonly requests: string[]
  /** Methods of every JSON-RPC call so far. */
  readonly calls: string[]
}

export interface FakePeerOptions {
  readonly name?: string
  /** 0 or absent: any free one. */
  readonly port?: number
  /** Of `protocols.cacp`; undefined leaves the whole entry out. */
  readonly cacp?: string | undefined
  /** What it has under /files/{sha256}. */
  readonly files?: Readonly<Record<string, Buffer>>
  /** Results by method, in the place of the friendly ones below. */
  // biome-ignore lint/suspicious/noExplicitAny: params of every shape
  readonly results?: Readonly<Record<string, (params: any) => unknown>>
  /** Instead of JSON.stringify. */
  readonly write?: (answer: unknown) => string
}

const FRIENDLY: NonNullable<FakePeerOptions['results']> = {
  'cacp/sync/hello': () => ({ storeId: 'fake', format: SYNC_FORMAT, now: new Date().toISOString() }),
  'cacp/sync/statements': ({ statements }: { statements: readonly string[] }) => ({
    outcomes: statements.map(() => ({ status: 'taken' })),
  }),
  'cacp/sync/digest': () => ({ projects: [] }),
}

/** Something that listens and says of itself that it is a cacpd; holds nothing and takes everything. */
export async function fakePeer({
  name = 'fake',
  port = 0,
  files = {},
  results = {},
  write = JSON.stringify,
  ...given
}: FakePeerOptions = {}): Promise<FakePeer> {
  const agentId = `aid://example.com/${name}@1.0.0`
  const repoName = `${name}-app`
  const cacp = 'cacp' in given ? given.cacp : '2.0'
  const card = {
    name,
    protocols: { cacp },
    extensions: { cacp: { agentId, repo: repoName }, cacpd: { syncFormat: SYNC_FORMAT } },
  }
  const requests: string[] = []
  const calls: string[] = []
  const answers = { ...FRIENDLY, ...results }
  const answer = ({ id, method, params }: { id: unknown; method: string; params: unknown }) => {
    calls.push(method)
    return { jsonrpc: '2.0', id, result: answers[method]?.(params) ?? { status: 'skipped' } }
  }

  async function reply(request: IncomingMessage): Promise<Buffer | object | undefined> {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    if (url === '/.well-known/agent.json') return card
    if (url === '/health') return { status: 'healthy' }
    if (url === '/peers/register') return { status: 'registered', peerCount: 1 }
    if (url.startsWith('/files/')) return files[url.slice('/files/'.length)]
    const body: unknown = JSON.parse(await text(request))
    return Array.isArray(body) ? body.map(answer) : answer(body as never)
  }

  const server = createServer((request, response) => {
    reply(request).then(
      (found) => {
        response.statusCode = found === undefined ? 404 : 200
        response.end(Buffer.isBuffer(found) ? found : write(found ?? {}))
      },
      () => response.destroy(),
    )
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    agentId,
    repoName,
    registration: { agentId, endpoint: url, repoName },
    requests,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
