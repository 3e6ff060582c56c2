import type { IncomingMessage } from 'node:http'
import { Fault } from '../protocol/fault.ts'

/** Reads a whole body into text, and stops as soon as it exceeds the bound. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const refuse = () => {
      request.removeAllListeners('data')
      request.resume()
      reject(tooLarge(maxBytes))
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return refuse()
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) refuse()
      else chunks.push(chunk)
    })
    request.on('end', () =>
      resolve((chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString('utf8') ?? ''),
    )
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete)
        reject(new Fault('invalid_request', 'The request ended before its body was complete'))
    })
  })
}

function tooLarge(maxBytes: number): Fault {
  return new Fault('body_too_large', `The body is larger than ${maxBytes / 1024} KiB`, {
    next: 'Send less at once; upload large files with POST /files',
  })
}
