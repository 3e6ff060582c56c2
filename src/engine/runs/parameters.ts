import type * as z from 'zod'
import { readAs } from '../../protocol/read-as.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import { RunError } from '../ports/run-ports.ts'

/** The parameters of a built-in kind of work, checked. */
export const readParameters = <Schema extends z.ZodType>(
  schema: Schema,
  { parameters }: RunRequest,
): z.output<Schema> =>
  readAs(schema, parameters, ({ field, problem, isMissing }) =>
    badParameter(field, isMissing ? 'is required' : problem),
  )

export function badParameter(field: string, problem: string): RunError {
  return new RunError({
    kind: 'invalid_params',
    message: `parameters.${field} ${problem}`,
    data: { field: `parameters.${field}` },
  })
}
