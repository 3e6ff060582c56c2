import type { ParamsOf } from '../../../methods/table.ts'
import { STATUSES, type Status, TYPE_WORDS } from '../../text/words.ts'

/** How the list of contracts is narrowed, as the address says it. */
export interface Filters {
  readonly projectId: string | undefined
  readonly status: Status | undefined
  readonly type: string | undefined
  readonly repo: string | undefined
  readonly with: string | undefined
  readonly q: string
  readonly isMine: boolean
  readonly isStuck: boolean
}

/** Minutes without a change after which what somebody has to do counts as stuck. */
const STUCK_MINUTES = 60

export function readFilters(query: Readonly<Record<string, string>>): Filters {
  const { status, type } = query
  return {
    projectId: query['project'],
    status: STATUSES.find((one) => one === status),
    type: type !== undefined && type in TYPE_WORDS ? type : undefined,
    repo: query['repo'],
    with: query['with'],
    q: (query['q'] ?? '').slice(0, 200),
    isMine: query['mine'] === 'yes',
    isStuck: query['stuck'] === 'yes',
  }
}

/** Whether anything but the project narrows the list. */
export const isNarrowed = ({ projectId: _, ...filters }: Filters): boolean =>
  Object.values(filters).some((value) => value !== undefined && value !== '' && value !== false)

export function paramsOf(filters: Filters, limit: number): ParamsOf<'cacp/contract/list'> {
  const { projectId, status, type, repo, q, isMine, isStuck } = filters
  const text = q.trim()
  return {
    ...(projectId === undefined ? { allProjects: true } : { projectId }),
    order: 'newest',
    details: true,
    limit,
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type: type as ParamsOf<'cacp/contract/list'>['type'] }),
    ...(repo === undefined ? {} : { repo }),
    ...(filters.with === undefined ? {} : { with: filters.with }),
    ...(text === '' ? {} : { q: text }),
    ...(isMine ? { mine: true } : {}),
    ...(isStuck ? { stuckMinutes: STUCK_MINUTES } : {}),
  }
}
