import type { z } from 'zod'
import { explain } from '../../protocol/issue.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import { RunError } from '../ports/run-ports.ts'

/** The parameters of a built-in kind of work, checked. */
export function readParameters<Schema extends z.ZodType>(
  schema: Schema,
  { parameters }: RunRequest,
): z.output<Schema> {
  const parsed = schema.safeParse(parameters)
  if (parsed.success) return parsed.data
  const { field, problem, isMissing } = explain(parsed.error)
  throw badParameter(field, isMissing ? 'is required' : problem)
}

export function badParameter(field: string, problem: string): RunError {
  return new RunError({
    kind: 'invalid_params',
    message: `parameters.${field} ${problem}`,
    data: { field: `parameters.${field}` },
  })
}
