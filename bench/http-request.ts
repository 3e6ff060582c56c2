import { LIMITS } from '../src/protocol/limits.ts'
import type { Call } from './material.ts'
import type { Running } from './workshop.ts'

/** A whole HTTP request with one JSON-RPC call, ready to be written to a socket. */
export function httpRequest({ method, params, agent }: Call, key: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return [
    'POST / HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    ...(agent === undefined ? [] : [`X-Agent-ID: ${agent}`]),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** One call outside of any measurement. */
export async function callOnce<Result>(
  server: Pick<Running, 'port' | 'key'>,
  { method, params, agent }: Call,
): Promise<Result> {
  const { result, error } = await post<Answer<Result>>(
    server,
    { jsonrpc: '2.0', id: 1, method, params },
    agent,
  )
  if (result === undefined) throw new Error(`${method}: ${error?.message ?? 'no answer'}`)
  return result
}

/** As many calls as there are, a batch at a time, in order. */
export async function callAll<Result>(
  { port, key }: Pick<Running, 'port' | 'key'>,
  calls: readonly Omit<Call, 'agent'>[],
  agent?: string,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < calls.length; from += LIMITS.batchItems) {
    const batch = calls
      .slice(from, from + LIMITS.batchItems)
      .map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const answers = await post<Answer<Result>[]>({ port, key }, batch, agent)
    for (const { result, error } of answers.sort((a, b) => a.id - b.id)) {
      if (result === undefined) throw new Error(`${batch[0]?.method}: ${error?.message}`)
      results.push(result)
    }
  }
  return results
}

interface Answer<Result> {
  id: number
  result?: Result
  error?: { message: string }
}

async function post<Body>(
  { port, key }: Pick<Running, 'port' | 'key'>,
  body: unknown,
  agent: string | undefined,
): Promise<Body> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(agent === undefined ? {} : { 'x-agent-id': agent }),
    },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Body
}
