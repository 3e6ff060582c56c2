import { ROOT } from '../place.ts'
import { halfOfSession, UI_HEADER } from '../session/half.ts'
import { type Outcome, readFault, UNREACHABLE } from './fault.ts'

interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as they are. */
  readonly bytes?: Blob
  readonly signal?: AbortSignal | undefined
}

/** Asks a route of the daemon, with both halves of the session. */
export function ask(path: string, { method = 'GET', body, bytes, signal }: Request = {}): Promise<Response> {
  return fetch(`${ROOT}${path}`, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    headers: {
      [UI_HEADER]: halfOfSession(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(bytes === undefined ? {} : { body: bytes }),
    signal: signal ?? null,
  })
}

/** The JSON of a route that is no JSON-RPC. */
export async function askJson<Result>(path: string, request: Request = {}): Promise<Outcome<Result>> {
  try {
    const response = await ask(path, request)
    const text = await response.text()
    const answer: unknown = text === '' ? {} : JSON.parse(text)
    if (response.ok) return { ok: true, result: answer as Result }
    const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : answer
    return { ok: false, fault: readFault(error) }
  } catch {
    return { ok: false, fault: UNREACHABLE }
  }
}
