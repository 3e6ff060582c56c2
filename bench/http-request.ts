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
  { port, key }: Running,
  { method, params, agent }: Call,
): Promise<Result> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(agent === undefined ? {} : { 'x-agent-id': agent }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result?: Result; error?: { message: string } }
  if (result === undefined) throw new Error(`${method}: ${error?.message ?? answer.status}`)
  return result
}
