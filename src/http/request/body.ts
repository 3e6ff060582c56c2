import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type * as z from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { findUnstorable } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { readAs } from '../../protocol/read-as.ts'
import { assertContentType } from '../guard/gate.ts'

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
    // A caller that left while its token was checked sends nothing more.
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

const isAnnouncedAsOver = ({ headers }: IncomingMessage, maxBytes: number): boolean =>
  Number(headers['content-length'] ?? 0) > maxBytes

/** Nobody is left to hear it, but it is not our failure either. */
const cutOff = (): Fault => new Fault('invalid_request', 'The request ended before its body was complete')

function tooLarge(maxBytes: number): Fault {
  return new Fault('body_too_large', `The body is larger than ${maxBytes / 1024} KiB`, {
    next: 'Send less at once; upload large files with POST /files',
  })
}

/** A JSON body of any shape that can be stored. */
export async function anyJsonBody(request: IncomingMessage, maxBytes: number = LIMITS.bodyBytes) {
  const body = await parsedBody(request, maxBytes)
  assertStorable(body)
  return body
}

/** A JSON body, whatever is in it. */
export async function parsedBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  assertContentType(request.headers, 'application/json')
  const body = jsonIn(await readBody(request, maxBytes))
  if (body === undefined) throw new Fault('parse_error', 'The body is not JSON')
  return body
}

export function assertStorable(body: unknown): void {
  const unstorable = findUnstorable(body)
  if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
}

/** A JSON body as its schema describes it; the Fault names the field that is wrong. */
export async function jsonBody<T extends z.ZodType>(request: IncomingMessage, schema: T) {
  return readAs(schema, await anyJsonBody(request))
}
