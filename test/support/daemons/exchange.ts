import { pino } from 'pino'
import { type Dispatcher, getGlobalDispatcher } from 'undici'
import {
  type ExchangeConfig,
  type ExchangeOverrides,
  startExchange,
} from '../../../src/exchange/start-exchange.ts'
import { type Folder, folderWith } from '../folders/folder.ts'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
  text: string
}

export interface TestExchange extends AsyncDisposable {
  readonly url: string
  /** What daemons are told to find it. */
  readonly address: string
  readonly folder: Folder
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** A body, as given if it is text. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** A manifest, or the JSON text of one. */
  register(manifest: object | string, headers?: Record<string, string>): Promise<Answer>
  search(body: object): Promise<Answer>
  remove(aid: string, authorization?: string): Promise<Answer>
}

/** A real exchange on a free port. */
export async function exchange(
  config: Partial<ExchangeConfig> = {},
  overrides: ExchangeOverrides = {},
): Promise<TestExchange> {
  const folder = await folderWith()
  const running = await startExchange(
    {
      dataDir: folder.at('exchange'),
      host: '127.0.0.1',
      port: 0,
      logLevel: 'silent',
      publicUrl: null,
      tlsCert: null,
      tlsKey: null,
      ...config,
    },
    { log: pino({ level: 'silent' }), ...overrides },
  )
  return {
    ...callsTo(running.url),
    url: running.url,
    address: running.address,
    folder,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

export function callsTo(url: string): Pick<TestExchange, 'get' | 'post' | 'register' | 'search' | 'remove'> {
  const call = async (
    path: string,
    options: Omit<Dispatcher.RequestOptions, 'path' | 'origin'>,
  ): Promise<Answer> => {
    const { origin } = new URL(url)
    // `request` would tidy up what a URL looks like, and that is what is tested.
    const reply = await getGlobalDispatcher().request({ origin, path, ...options })
    const text = await reply.body.text()
    return { status: reply.statusCode, text, json: JSON.parse(text) }
  }
  const post: TestExchange['post'] = (path, body, headers = {}) =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    get: (path, headers = {}) => call(path, { method: 'GET', headers }),
    post,
    register: (manifest, headers) =>
      post(
        '/v1/register/',
        `{"manifest":${typeof manifest === 'string' ? manifest : JSON.stringify(manifest)}}`,
        headers,
      ),
    search: (body) => post('/v1/search/', body),
    remove: (aid, authorization) =>
      call(`/v1/agents/${encodeURIComponent(aid)}`, {
        method: 'DELETE',
        headers: authorization === undefined ? {} : { authorization },
      }),
  }
}
