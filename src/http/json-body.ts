import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { Fault } from '../protocol/fault.ts'
import { explain } from '../protocol/issue.ts'
import { findUnstorable } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { readBody } from './body.ts'
import { assertContentType } from './gate.ts'

/** A JSON body, within its bound and free of what cannot be kept, but not looked into further. */
export async function anyJsonBody(
  request: IncomingMessage,
  maxBytes: number = LIMITS.bodyBytes,
): Promise<unknown> {
  assertContentType(request.headers, 'application/json')
  const text = await readBody(request, maxBytes)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Fault('parse_error', 'The body is not JSON')
  }
  const unstorable = findUnstorable(body)
  if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
  return body
}

/** The same, checked against its schema. The fault names the field, also as `data.field`. */
export async function jsonBody<T extends z.ZodType>(
  request: IncomingMessage,
  schema: T,
  maxBytes: number = LIMITS.bodyBytes,
): Promise<z.output<T>> {
  return checkedBody(await anyJsonBody(request, maxBytes), schema)
}

export function checkedBody<T extends z.ZodType>(body: unknown, schema: T): z.output<T> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { field, problem, isMissing } = explain(parsed.error)
  const named = field === '' ? 'body' : field
  throw new Fault('invalid_params', `${named}${isMissing ? ' required' : `: ${problem}`}`, {
    data: { field: named },
  })
}
