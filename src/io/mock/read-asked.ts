import type { IncomingMessage } from 'node:http'
import { type Asked, contentOf, NO_CONTENT } from '../../domain/mock/message.ts'

export function askedOf(request: IncomingMessage): Asked {
  const { method = 'GET', url = '/', headers } = request
  const end = url.search(/[?#]/)
  return {
    method,
    path: end === -1 ? url : url.slice(0, end),
    query: new URLSearchParams(end === -1 ? '' : url.slice(end + 1)),
    headers,
    body: NO_CONTENT,
  }
}

/** With its body; undefined where that is longer than this. */
export async function withBody(
  request: IncomingMessage,
  asked: Asked,
  most: number,
): Promise<Asked | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return length === 0
    ? asked
    : { ...asked, body: contentOf(Buffer.concat(chunks), request.headers['content-type']) }
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
