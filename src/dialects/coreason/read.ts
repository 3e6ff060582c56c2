import type * as z from 'zod'
import type { CheckedCapability, WrongShape } from '../../protocol/agent/capability.ts'
import { defined } from '../../protocol/collections/defined.ts'
import { Fault } from '../../protocol/fault.ts'
import { readAs } from '../../protocol/read-as.ts'
import type { Lineage } from '../../protocol/run/request.ts'

/** A body of the shape that it must have; the fault names the first field that is wrong. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return readAs(schema, body, ({ field, problem, isMissing }) =>
    badField(field === '' ? 'body' : field, isMissing ? 'is required' : problem),
  )
}

function badField(field: string, problem: string, next?: string): Fault {
  return new Fault('invalid_params', `${field} ${problem}`, { ...defined({ next }), data: { field } })
}

/** The capability that a request names, or else the first. `at` is where in the body it is named. */
export function chosenCapability(
  capabilities: readonly CheckedCapability[],
  wanted: unknown,
  at: string,
): CheckedCapability {
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

interface Ancestry {
  readonly request_id: string
  readonly root_request_id?: string | null | undefined
  readonly parent_request_id?: string | null | undefined
}

/**
 * Where a request stands in its chain. One without ancestors is its own root. One with a parent must name the
 * root, because a chain whose root is guessed is a false one. `at` is where in the body the three are.
 */
export function lineageOf({ request_id, root_request_id, parent_request_id }: Ancestry, at = ''): Lineage {
  const parent = parent_request_id ?? undefined
  if (parent === undefined) return { root_request_id: root_request_id ?? request_id }
  if (root_request_id === undefined || root_request_id === null)
    throw badField(`${at}root_request_id`, 'is required where parent_request_id is given')
  if (parent === request_id) throw badField(`${at}parent_request_id`, 'must not be the request itself')
  return { root_request_id, parent_request_id: parent }
}
