import type { z } from 'zod'
import { Fault } from '../../protocol/fault.ts'
import { readAs } from '../../protocol/read-as.ts'

/** A body of the shape that it must have; the fault names the first field that is wrong. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return readAs(schema, body, ({ field, problem, isMissing }) =>
    badField(field === '' ? 'body' : field, isMissing ? 'is required' : problem),
  )
}

export function badField(field: string, problem: string, next?: string): Fault {
  return new Fault('invalid_params', `${field} ${problem}`, {
    ...(next === undefined ? {} : { next }),
    data: { field },
  })
}
