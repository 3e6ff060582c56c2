import { type ListedContract, listedOf } from '../../domain/contract/listed.ts'
import type { Env } from '../../domain/env.ts'
import { projectOf } from '../../domain/lookup.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import { parseStamp } from '../../protocol/stamp.ts'
import { fillPage, unknownCursor } from '../page.ts'
import { newestOf } from './changes.ts'
import type { ListQuery } from './list.ts'
import { Listing } from './listing.ts'
import type { ChangePlace, ContractIndex } from './service.ts'

interface Reading {
  readonly view: View
  readonly env: Env
  /** Missing where neither the order nor the details need it. */
  readonly index?: ContractIndex
}

/** One page of a list of contracts; with details, the counts of the whole list. */
export function contractPage(query: ListQuery, { view, env, index }: Reading) {
  const { status, limit, cursor, details } = query
  // Missing with allProjects, except for a project token, which always asks about its own project.
  const only = query.projectId === undefined ? undefined : projectOf(view, query.projectId, env)
  const listing = new Listing(query, { view, env, only })
  const isByChange = query.order === 'newest' && index !== undefined
  const source = isByChange ? newestFirst(listing, index, cursor) : oldestFirst(only, cursor)
  const { items, rest } = fillPage(source, limit, {
    cursorOf: (one) => (isByChange ? textOfPlace(one) : one.contractId),
    render: (one) => (listing.isWanted(one, status) ? listing.render(one, status) : undefined),
  })
  const counts = details && index !== undefined ? { counts: listing.counts(index) } : {}
  return { contracts: items, ...counts, ...rest }
}

function newestFirst(
  listing: Listing,
  index: ContractIndex,
  cursor: string | undefined,
): Iterable<ListedContract> {
  const before = cursor === undefined ? undefined : placeIn(cursor)
  return newestOf(listing.scopes().map((scope) => index.newestFirst(scope, before)))
}

function* oldestFirst(found: ProjectView | undefined, cursor: string | undefined): Iterable<ListedContract> {
  if (found === undefined) return
  const { project, contracts } = found
  if (cursor !== undefined && contracts.get(cursor) === undefined) throw unknownCursor(cursor)
  for (const contract of contracts.oldestFirst(cursor)) yield listedOf(project.project_id, contract)
}

/**
 * A cursor in the order of changes is the place itself. So the pages that follow are the same whatever became of the
 * contract that was there: what changes moves to the front, and nothing is shown twice.
 */
const textOfPlace = ({ since, id }: ChangePlace): string => `${since}~${id.replace(' ', '~')}`

function placeIn(cursor: string): ChangePlace {
  const [time = '', contractId = '', projectId = '', ...more] = cursor.split('~')
  const since = parseStamp(time)
  if (since === undefined || contractId === '' || projectId === '' || more.length > 0)
    throw unknownCursor(cursor)
  return { since, id: `${contractId} ${projectId}` }
}
