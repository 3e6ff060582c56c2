import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import {
  type Bytes,
  CHECK_WHO_LISTENS,
  ConnectionError,
  createDaemonHttp,
} from './io/outbound/daemon-http.ts'
import { DataDirError } from './io/place/data-dir.ts'
import { findDaemon } from './io/place/find-daemon.ts'
import type { MethodName, ParamsOf, ResultOf } from './methods/table.ts'

export interface ConnectOptions {
  /** Where the daemon listens. Without it the daemon of the data directory is taken, together with its key. */
  url?: string | undefined
  key?: string | undefined
  /** SHA-256 in hex of the certificate that it must show, where no authority vouches for it. */
  certificate?: string | undefined
  /** Act as this agent instead of the daemon's own (sent as X-Agent-ID). */
  agentId?: string | undefined
  /** Default: CACP_DATA, or the nearest `.cacp` or `data` of a daemon from the working directory upwards. */
  dataDir?: string | undefined
  /** How long one answer may take. */
  timeoutMs?: number | undefined
}

export interface CallOptions {
  /** The same key and params give the same answer, however often the call is repeated within a day. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

export type BatchCall = {
  [Name in MethodName]: { method: Name; params: ParamsOf<Name>; idempotencyKey?: string | undefined }
}[MethodName]

export type BatchResults<Calls extends readonly BatchCall[]> = {
  -readonly [Index in keyof Calls]: PromiseSettledResult<ResultOf<Calls[Index]['method']>>
}

export interface Health {
  /** `degraded`: it answers, but takes nothing in. */
  status: 'healthy' | 'degraded'
  /** Why it is degraded, and what can be done about it. */
  reason?: string
  next?: string
  agentId: string
  repo: string
  peerCount: number
  /** The end of the journal was damaged at the last start and set aside. */
  recovered: boolean
  /** This and what follows only with a key. */
  version?: string
  uptimeSeconds?: number
  /** What somebody has to look after: a clock that is wrong, a daemon that runs twice. */
  warnings?: string[]
  store?: { seq: number; projects: number; statements: number; bytes: number; quotaBytes: number }
  /** How it is doing with its hub, and for the operator what is wrong there; left out where it uses none. */
  hub?: { state: string; troubles: { message: string; next: string }[] }
  /** How many of the peers can be reached, and how many have not got everything that is here. */
  peers?: { healthy: number; behind: number }
}

export interface UploadedFile {
  sha256: string
  size: number
  /** Where the daemon serves it. */
  savedTo: string
}

export interface FollowQuery {
  /** The cursor of the last event that was seen. */
  since?: string | undefined
  projectId?: string | undefined
  kinds?: readonly string[] | undefined
}

/** One change, or first of all only the cursor from which it goes on. */
export type FollowedEvent = { cursor: string } & Partial<ResultOf<'cacp/feed/read'>['events'][number]>

export interface Client extends AsyncDisposable {
  readonly url: string
  call<Name extends MethodName>(
    method: Name,
    params: ParamsOf<Name>,
    options?: CallOptions,
  ): Promise<ResultOf<Name>>
  /** Sends a call that gets no answer, so whether it succeeded stays unknown. */
  notify<Name extends MethodName>(method: Name, params: ParamsOf<Name>, options?: CallOptions): Promise<void>
  /** One answer per call, in their order; one that fails does not fail the others. */
  batch<const Calls extends readonly BatchCall[]>(
    calls: Calls,
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<BatchResults<Calls>>
  /** Stores the file at a path, or bytes as they come, to be shared by its hash: `file: { name, sha256 }`. */
  upload(
    source: string | AsyncIterable<Uint8Array>,
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<UploadedFile>
  /** The bytes of a file, checked against its hash. The daemon fetches it from a peer if it has to. */
  download(sha256: string, options?: Pick<CallOptions, 'signal'>): Promise<Uint8Array>
  /** Yields changes as they come, from a cursor or from now on, until the connection ends. */
  follow(query?: FollowQuery, options?: Pick<CallOptions, 'signal'>): AsyncGenerator<FollowedEvent>
  health(): Promise<Health>
  /** The agent card of `/.well-known/agent.json`. */
  card(): Promise<Record<string, unknown>>
  peers(): Promise<Record<string, unknown>[]>
}

/** The daemon refused a call. */
export class CallError extends Error {
  override readonly name = 'CallError'
  /** Of JSON-RPC. `kind` says more. */
  readonly code: number
  /** `not_found`, `conflict`, `invalid_params`, `forbidden`, … */
  readonly kind: string
  /** What to do about it. */
  readonly next: string | undefined
  /** Ids and fields it is about, and whether it is `retryable`. */
  readonly data: Readonly<Record<string, unknown>>

  constructor({ code = -32000, message = 'Server error', data = {} }: WireError) {
    super(message)
    this.code = code
    const { kind, next, ...rest } = data
    this.kind = typeof kind === 'string' ? kind : 'internal'
    this.next = typeof next === 'string' ? next : undefined
    this.data = rest
  }
}

export { ConnectionError }

interface WireError {
  code?: number
  message?: string
  data?: Record<string, unknown>
}

interface WireAnswer {
  id?: unknown
  result?: unknown
  error?: WireError
}

const OPTIONS: Readonly<Record<keyof ConnectOptions, true>> = {
  url: true,
  key: true,
  certificate: true,
  agentId: true,
  dataDir: true,
  timeoutMs: true,
}

/** A client of the daemon at `url`, or of the one that runs on the data directory. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const unknown = Object.keys(options).find((option) => !Object.hasOwn(OPTIONS, option))
  if (unknown !== undefined)
    throw new TypeError(`connect: unknown option ${unknown}; known are ${Object.keys(OPTIONS).join(', ')}`)
  if (options.url !== undefined) return createClient({ ...options, url: options.url })
  const { endpoint, key } = await findDaemon({ dataDir: options.dataDir }).catch((error: unknown) => {
    throw error instanceof DataDirError ? new ConnectionError(error.message, error.next, error.cause) : error
  })
  const { url, certificate } = endpoint
  return createClient({ certificate, ...options, url, key: options.key ?? key })
}

function createClient({
  url,
  key,
  certificate,
  agentId,
  timeoutMs = 30_000,
}: ConnectOptions & { url: string }): Client {
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(agentId === undefined ? {} : { 'x-agent-id': inHeader(agentId) }),
  }
  const daemon = createDaemonHttp({ url, headers, timeoutMs, certificate })
  let lastId = 0

  return {
    url,
    async call(method, params, { idempotencyKey, signal } = {}) {
      const answer = await daemon.post(
        '',
        { ...request(method, params, idempotencyKey), id: ++lastId },
        signal,
        method === 'cacp/wait' ? waitMillis(params as { timeoutSeconds?: number }) : 0,
      )
      return resultOf(answer) as never
    },
    async notify(method, params, { idempotencyKey, signal } = {}) {
      const answer = await daemon.post('', request(method, params, idempotencyKey), signal)
      if (answer !== undefined) resultOf(answer)
    },
    async batch(calls, { signal } = {}) {
      if (calls.length === 0) return [] as never
      const body = calls.map(({ method, params, idempotencyKey }) => ({
        ...request(method, params, idempotencyKey),
        id: ++lastId,
      }))
      const answers = await daemon.post('', body, signal)
      // Refused as a whole, for example because it is too long.
      if (!Array.isArray(answers)) throw failureOf(answers)
      const byId = new Map((answers as WireAnswer[]).map((answer) => [answer.id, answer]))
      return (await Promise.allSettled(body.map(async ({ id }) => resultOf(byId.get(id))))) as never
    },
    async upload(source, { signal } = {}) {
      const bytes = typeof source === 'string' ? await bytesOf(source) : { chunks: source }
      return assertNoError(await daemon.upload('files', bytes, signal)) as unknown as UploadedFile
    },
    async download(sha256, { signal } = {}) {
      if (!/^[0-9a-f]{64}$/.test(sha256))
        throw new TypeError('download: a SHA-256 is 64 digits in lower-case hex')
      const got = await daemon.download(`files/${sha256}`, signal)
      if (!('bytes' in got)) throw failureOf(assertNoError(got.answer))
      if (createHash('sha256').update(got.bytes).digest('hex') === sha256) return got.bytes
      throw new ConnectionError(`${url} answered other bytes than those of ${sha256}`, CHECK_WHO_LISTENS)
    },
    async *follow({ since, projectId, kinds } = {}, { signal } = {}) {
      const query = new URLSearchParams({
        ...(since === undefined ? {} : { since }),
        ...(projectId === undefined ? {} : { projectId }),
        ...(kinds === undefined ? {} : { kind: kinds.join(',') }),
      })
      const got = await daemon.events(`events?${query}`, signal)
      if (!('events' in got)) throw failureOf(assertNoError(got.answer))
      for await (const event of got.events) yield (JSON.parse(event) as { data: FollowedEvent }).data
    },
    health: async () => (await get('health')) as Health,
    card: async () => (await get('.well-known/agent.json')) as Record<string, unknown>,
    peers: async () => ((await get('peers')) as { peers: Record<string, unknown>[] }).peers,
    [Symbol.asyncDispose]: () => daemon.close(),
  }

  async function get(path: string): Promise<unknown> {
    return assertNoError(await daemon.get(path))
  }

  function assertNoError(answer: unknown): Record<string, unknown> {
    if (!isObject(answer)) throw failureOf(answer)
    const { error } = answer
    // Outside of JSON-RPC the details stand beside the message.
    if (isObject(error)) throw new CallError({ message: String(error['message']), data: error })
    return answer
  }

  function resultOf(answer: unknown): unknown {
    if (isObject(answer) && 'result' in answer) return answer['result']
    throw failureOf(answer)
  }

  function failureOf(answer: unknown): Error {
    if (isObject(answer) && isObject(answer['error'])) return new CallError(answer['error'])
    return new ConnectionError(`${url} gave no JSON-RPC answer`, CHECK_WHO_LISTENS)
  }
}

/** How long the daemon lets somebody wait. */
const waitMillis = ({ timeoutSeconds = 50 }: { timeoutSeconds?: number }): number => timeoutSeconds * 1000

/** The key goes into params, where a batch can carry one for each of its calls. */
function request(method: string, params: object, idempotencyKey: string | undefined) {
  return {
    jsonrpc: '2.0',
    method,
    params: idempotencyKey === undefined ? params : { ...params, idempotencyKey },
  }
}

/** A header is bytes, which the daemon reads as UTF-8. */
const inHeader = (text: string): string => Buffer.from(text).toString('latin1')

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function bytesOf(path: string): Promise<Bytes> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return { chunks: file.createReadStream(), size }
  } catch (error) {
    await file.close()
    throw error
  }
}
