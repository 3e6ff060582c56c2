import type { Lineage } from '../../protocol/run/request.ts'
import { badField } from './read.ts'

export interface Ancestry {
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
