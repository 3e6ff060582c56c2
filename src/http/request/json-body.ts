import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { findUnstorable } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { readAs } from '../../protocol/read-as.ts'
import { assertContentType } from '../guard/gate.ts'
import { readBody } from './body.ts'

/** A JSON body, within its bound and free of what cannot be kept, but not looked into further. */
export async function anyJsonBody(
  request: IncomingMessage,
  maxBytes: number = LIMITS.bodyBytes,
): Promise<unknown> {
  const body = await parsedBody(request, maxBytes)
  assertStorable(body)
  return body
}

/** The same, with whatever is in it. */
export async function parsedBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  assertContentType(request.headers, 'application/json')
  const text = await readBody(request, maxBytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('parse_error', 'The body is not JSON')
  }
}

export function assertStorable(body: unknown): void {
  const unstorable = findUnstorable(body)
  if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
}

/** The same, checked against its schema. The fault names the field, also as `data.field`. */
export async function jsonBody<T extends z.ZodType>(
  request: IncomingMessage,
  schema: T,
  maxBytes: number = LIMITS.bodyBytes,
): Promise<z.output<T>> {
  return readAs(schema, await anyJsonBody(request, maxBytes))
}
