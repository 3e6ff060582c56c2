import type { CheckedCapability, WrongShape } from '../../protocol/agent/capability.ts'
import type { Fault } from '../../protocol/fault.ts'
import { badField } from './read.ts'

/** The capability that a request names, or else the first. `at` is where in the body it is named. */
export function chosenCapability<Known extends Pick<CheckedCapability, 'name'>>(
  capabilities: readonly Known[],
  wanted: unknown,
  at: string,
): Known {
  const found = wanted === undefined ? capabilities[0] : capabilities.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  throw badField(
    at,
    'names no capability of this agent',
    `Name one of ${capabilities.map(({ name }) => name).join(', ')}, or none`,
  )
}

/** The Fault of inputs that do not fit the schema of their capability. `at` is where in the body they are. */
export function badInputs(at: string, { field, problem }: WrongShape): Fault {
  return badField([at, field].filter(Boolean).join('.'), problem)
}
