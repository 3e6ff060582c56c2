import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../../protocol/fault.ts'

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
    if (isAnnouncedAsOver(request, maxBytes)) return refuse()
    // Whoever left while its token was looked at would be waited for in vain.
    if (request.destroyed) return reject(cutOff())
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) refuse()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      const [body = Buffer.alloc(0)] = chunks.length > 1 ? [Buffer.concat(chunks)] : chunks
      if (isUtf8(body)) resolve(body.toString('utf8'))
      else reject(new Fault('parse_error', 'Parse error: the body is not UTF-8'))
    })
    request.on('error', () => reject(cutOff()))
    request.on('close', () => {
      if (!request.complete) reject(cutOff())
    })
  })
}

/** The bytes of a body, as they come; none if it says itself that there are too many. */
export async function* streamBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (isAnnouncedAsOver(request, maxBytes))
    throw new Fault('too_large', `The file has more than ${maxBytes} bytes; nothing of it was read.`)
  try {
    yield* request
  } catch {
    throw cutOff()
  }
}

function isAnnouncedAsOver({ headers }: IncomingMessage, maxBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > maxBytes
}

/** Nobody is left to hear it, but it is not our failure either. */
function cutOff(): Fault {
  return new Fault('invalid_request', 'The request ended before its body was complete')
}

function tooLarge(maxBytes: number): Fault {
  return new Fault('body_too_large', `The body is larger than ${maxBytes / 1024} KiB`, {
    next: 'Send less at once; upload large files with POST /files',
  })
}
