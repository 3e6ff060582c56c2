import type { z } from 'zod'
import type { AnyMethod } from '../methods/row.ts'
import { Fault } from '../protocol/fault.ts'
import { findUnstorable } from '../protocol/json.ts'

/** Params checked against the row, or one sentence that names the field. */
export function readParams(row: AnyMethod, params: unknown): unknown {
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw new Fault('invalid_params', 'Invalid params: params must be an object of named values', {
      next: nextStep(row),
    })
  const unstorable = findUnstorable(params)
  if (unstorable !== undefined) throw new Fault('invalid_params', `Invalid params: ${unstorable}`)
  const parsed = row.params.safeParse(params ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = fieldOf(issue)
  throw new Fault('invalid_params', `Invalid params: ${describe(issue, field)}`, {
    next: nextStep(row),
    data: { field },
  })
}

const nextStep = (row: AnyMethod): string =>
  `See the params of ${row.name} in GET /openrpc.json or docs/METHODS.md`

type Issue = z.core.$ZodIssue | undefined

const fieldOf = (issue: Issue): string => (issue?.path ?? []).map(String).join('.').slice(0, 200)

function describe(issue: Issue, field: string): string {
  if (issue === undefined) return 'malformed'
  const isMissing =
    issue.code === 'invalid_type' && issue.input === undefined && /received undefined/.test(issue.message)
  if (isMissing) return `${field} required`
  const message = issue.message.replace(/^Invalid input: /, '')
  return `${field}: ${message.slice(0, 300)}`
}
