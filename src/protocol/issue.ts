import type * as z from 'zod'

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
