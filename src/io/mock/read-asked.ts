import type { IncomingMessage } from 'node:http'
import { type Asked, contentOf, NO_CONTENT } from '../../domain/mock/message.ts'
import { readBytes } from '../outbound/read-body.ts'

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
export async function withBody(request: IncomingMessage, asked: Asked, most: number) {
  try {
    const bytes = await readBytes(request, most)
    return bytes.length === 0 ? asked : { ...asked, body: contentOf(bytes, request.headers['content-type']) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
