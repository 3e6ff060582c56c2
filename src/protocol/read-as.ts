import type * as z from 'zod'
import { Fault } from './fault.ts'

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

type Issue = z.core.$ZodIssue

/** The first thing in an input that its schema does not allow. */
export interface Misfit {
  /** Its path inside the input; empty for the input as a whole. */
  readonly field: string
  /** What must be there instead, in our own words. */
  readonly problem: string
  readonly isMissing: boolean
  /** The keys that a strict schema does not have, wherever they are. */
  readonly unknownKeys?: readonly string[]
}

export function explain(error: z.ZodError): Misfit {
  const issue = deepest(error.issues[0])
  const field = (issue?.path ?? []).map(String).join('.').slice(0, 200)
  const isMissing = issue?.code === 'invalid_type' && /received undefined$/.test(issue.message)
  const unknownKeys = error.issues.find((issue) => issue.code === 'unrecognized_keys')?.keys
  return {
    field,
    problem: issue === undefined ? 'is malformed' : problemOf(issue),
    isMissing,
    ...(unknownKeys === undefined ? {} : { unknownKeys }),
  }
}

/** If no alternative of a union fits, the first alternative's reason says most. */
function deepest(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const inner = issue.errors[0]?.[0]
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] }
}

/** The library's own messages begin like this; all others are written with the schema. */
const LIBRARY_TEXT = /^(?:Invalid|Too small|Too big|Unrecognized)/

function problemOf(issue: Issue): string {
  if (!LIBRARY_TEXT.test(issue.message)) return issue.message.slice(0, 300)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${NOUNS[issue.expected] ?? `of type ${issue.expected}`}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `must ${amount(issue.origin, 'at least', Number(issue.minimum))}`
    case 'too_big':
      return `must ${amount(issue.origin, 'at most', Number(issue.maximum))}`
    default:
      return 'is malformed'
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function amount(origin: string, bound: string, count: number): string {
  const unit = UNITS[origin]
  return unit === undefined
    ? `be ${bound} ${count}`
    : `have ${bound} ${count} ${unit}${count === 1 ? '' : 's'}`
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' }
