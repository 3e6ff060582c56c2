import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { type Config, loadConfig } from '../../../src/config/config.ts'
import { type Overrides, startDaemon } from '../../../src/daemon/daemon.ts'
import { trust } from '../../../src/io/identity/trusted.ts'
import { createConnector } from '../../../src/io/outbound/connector.ts'
import { readEndpoint } from '../../../src/io/place/data-dir.ts'
import type { Runs } from '../../../src/methods/runs/service.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

export interface TestDaemon extends AsyncDisposable {
  url: string
  key: string
  dataDir: string
  /** Asks the daemon's agent directly, without any dialect. */
  runs: Runs
  /** Any request; the operator's key is sent unless headers say otherwise. */
  fetch(
    path: string,
    options?: {
      method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
      headers?: Record<string, string>
      body?: string | Buffer
    },
  ): Promise<Reply>
  /** A body, exactly as given, to POST /. */
  post(body: unknown, headers?: Record<string, string>): Promise<Reply>
  /** One JSON-RPC call; answers its result or throws what the daemon said. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  rpc(method: string, params?: unknown, headers?: Record<string, string>): Promise<any>
  /** Ends it and starts it again, on the same port and data. */
  restart(): Promise<void>
}

/** A real daemon in a folder of its own, on a free port. */
export async function daemon(flags: Partial<Config> = {}, overrides: Overrides = {}): Promise<TestDaemon> {
  const folder = await mkdtemp(join(tmpdir(), 'cacpd-test-'))
  const dataDir = join(folder, '.cacp')
  const config = await loadConfig({
    flags: {
      repo: 'backend-api',
      role: 'backend',
      language: 'python',
      agentId: 'aid://example.com/backend@1.0.0',
      port: 0,
      data: dataDir,
      ...flags,
    },
    env: { XDG_STATE_HOME: join(folder, 'state') },
    cwd: folder,
  })
  const { stateDir = config.stateDir } = flags
  // What a test configures it also trusts.
  if (flags.agent !== undefined) await trust('agent', config.agent, config)
  const start = (port = config.port) =>
    startDaemon({ ...config, stateDir, port }, { log: pino({ level: 'silent' }), ...overrides })
  let running = await start()
  const { url } = running
  const key = (await readFile(join(dataDir, 'operator.key'), 'utf8')).trim()
  const certificate = (await readEndpoint(dataDir))?.certificate
  const dispatcher = new Agent({
    connect: createConnector({ reach: 'operator', certificate }, { timeout: 5000 }),
  })

  const fetch: TestDaemon['fetch'] = async (path, { method = 'GET', headers = {}, body } = {}) => {
    const sent = { authorization: `Bearer ${key}`, ...headers }
    const kept = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))
    const reply = await request(`${url}${path}`, { method, headers: kept, body: body ?? null, dispatcher })
    const text = await reply.body.text()
    const isJson = String(reply.headers['content-type'] ?? '').startsWith('application/json')
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    }
  }
  const post: TestDaemon['post'] = (body, headers = {}) =>
    fetch('/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    url,
    key,
    dataDir,
    runs: running.runs,
    fetch,
    post,
    rpc: async (method, params, headers) => {
      const { json } = await post({ jsonrpc: '2.0', id: 1, method, params }, headers)
      if (json.error !== undefined) throw Object.assign(new Error(json.error.message), json.error)
      return json.result
    },
    restart: async () => {
      await running[Symbol.asyncDispose]()
      running = await start(Number(new URL(url).port))
    },
    [Symbol.asyncDispose]: async () => {
      await dispatcher.destroy()
      await running[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
