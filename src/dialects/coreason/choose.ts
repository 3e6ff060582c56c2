import type { CheckedCapability } from '../../protocol/capability.ts'
import type { JsonObject } from '../../protocol/json.ts'
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

/** Refuses what is not as the capability's inputs want it. `at` is where in the body they are. */
export function assertInputs({ checkInputs }: CheckedCapability, inputs: JsonObject, at: string): void {
  const wrong = checkInputs(inputs)
  if (wrong !== undefined) throw badField([at, wrong.field].filter(Boolean).join('.'), wrong.problem)
}
