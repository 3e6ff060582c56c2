import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PageFile } from '../../engine/ports/ui-ports.ts'
import { countUntilRead } from '../reply/send.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
/** It may be kept, but the daemon is asked whether it is still the same. */
const ASK_FIRST = 'no-cache'

/** Sends a file of the page: compressed where the browser takes that, and not at all where it has it already. */
export async function sendPageFile(request: IncomingMessage, response: ServerResponse, file: PageFile) {
  const { type, bytes, etag, isHashed } = file
  const headers = { etag, 'cache-control': isHashed ? FOR_EVER : ASK_FIRST, vary: 'accept-encoding' }
  if (isAmong(etag, request.headers['if-none-match'])) return void response.writeHead(304, headers).end()
  const isGzipped = isAmong('gzip', String(request.headers['accept-encoding'] ?? ''))
  const body = isGzipped ? await file.gzipped() : bytes
  response.writeHead(200, {
    ...headers,
    'content-type': type,
    'content-length': body.length,
    ...(isGzipped ? { 'content-encoding': 'gzip' } : {}),
  })
  response.end(body)
  countUntilRead(response)
}

/** Whether a word stands in a list; one with the weight 0 does not count. */
const isAmong = (word: string, list: string | undefined = ''): boolean =>
  list.split(',').some((item) => {
    const [name = '', weight = ''] = item.split(';')
    return name.trim() === word && !/^\s*q=0(?:\.0*)?\s*$/.test(weight)
  })
