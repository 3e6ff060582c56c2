import type * as z from 'zod'
import { Fault } from './fault.ts'
import { explain, type Misfit } from './issue.ts'

/**
 * The one reader of input from outside: answers the value as its schema describes it, or throws what `refuse` makes
 * of the first thing that does not fit. Without `refuse` that is a Fault of the kind `invalid_params`.
 */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refuse: (misfit: Misfit) => Error = fieldFault,
): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refuse(explain(parsed.error))
}

interface FieldFaultOptions {
  /** What the sentence begins with. */
  readonly lead?: string
  /** Where the value is inside what the caller sent. */
  readonly root?: readonly string[]
  /** What the value is called when no single field of it is wrong, and it has no root. */
  readonly whole?: string
  /** What is said of a field that is missing. */
  readonly missing?: string
  /** The next step of the caller, for the field as the schema names it. */
  readonly next?: (field: string) => string
}

/** The Fault that names the field in its sentence, and again as `data.field` for programs. */
export function fieldFault({ field, problem, isMissing }: Misfit, options: FieldFaultOptions = {}): Fault {
  const { lead = '', root = [], whole = 'body', missing = 'required', next } = options
  const named = [...root, field].filter((part) => part !== '').join('.') || whole
  const sentence = isMissing ? `${lead}${named} ${missing}` : `${lead}${named}: ${problem}`
  return new Fault('invalid_params', sentence, {
    ...(next === undefined ? {} : { next: next(field) }),
    data: { field: named },
  })
}
