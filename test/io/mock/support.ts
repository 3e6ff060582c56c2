import { readInterface } from '../../../src/domain/interface/review.ts'
import { RouteTable, type Served } from '../../../src/domain/mock/routes.ts'
import { type MockRules, type MockServer, startMock } from '../../../src/io/mock/mock-server.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'

export const servedAs = (name: string, content: JsonObject, version = 1): Served => ({
  contractId: `id of ${name}`,
  name,
  version,
  interface: readInterface('api_endpoint', content),
})

const NOBODY = new RouteTable([])

export interface Mocked extends MockServer {
  readonly told: string[]
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
  readonly text: string
}

/** A mock of these contracts on a free port. */
export async function mockOf(contracts: readonly Served[], rules: Partial<MockRules> = {}): Promise<Mocked> {
  const told: string[] = []
  const tables = { served: new RouteTable(contracts), proposed: NOBODY }
  const server = await startMock(() => tables, {
    port: 0,
    seed: 1,
    isLenient: false,
    delayMillis: 0,
    failShare: 0,
    tell: (line) => told.push(line),
    ...rules,
  })
  return { ...server, told, ...callsTo(server.url) }
}

export const callsTo = (url: string): Pick<Mocked, 'get' | 'send'> => ({
  get: async (path, headers = {}) => replyOf(await fetch(`${url}${path}`, { headers })),
  send: async (method, path, body, headers = {}) =>
    replyOf(
      await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    ),
})

async function replyOf(reply: Response): Promise<Reply> {
  const text = await reply.text()
  const isJson = /json/.test(reply.headers.get('content-type') ?? '')
  return { status: reply.status, headers: reply.headers, text, json: isJson ? JSON.parse(text) : undefined }
}
