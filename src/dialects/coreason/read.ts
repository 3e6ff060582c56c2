import type { z } from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { explain } from '../../protocol/issue.ts'

/** A body of the shape that it must have; the fault names the first field that is wrong. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { field, problem, isMissing } = explain(parsed.error)
  throw badField(field === '' ? 'body' : field, isMissing ? 'is required' : problem)
}

export function badField(field: string, problem: string, next?: string): Fault {
  return new Fault('invalid_params', `${field} ${problem}`, {
    ...(next === undefined ? {} : { next }),
    data: { field },
  })
}
