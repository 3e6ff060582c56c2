import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { Fault } from '../protocol/fault.ts'
import { explain } from '../protocol/issue.ts'
import { findUnstorable } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { readBody } from './body.ts'
import { assertContentType } from './gate.ts'

/** A small JSON body, checked against its schema. */
export async function jsonBody<T extends z.ZodType>(
  request: IncomingMessage,
  schema: T,
): Promise<z.output<T>> {
  assertContentType(request.headers, 'application/json')
  const text = await readBody(request, LIMITS.bodyBytes)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Fault('parse_error', 'The body is not JSON')
  }
  const unstorable = findUnstorable(body)
  if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { field, problem, isMissing } = explain(parsed.error)
  const named = field === '' ? 'body' : field
  throw new Fault('invalid_params', `${named}${isMissing ? ' required' : `: ${problem}`}`, {
    data: { field: named },
  })
}
