import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Run } from '../../protocol/run/run.ts'
import { parseStamp } from '../../protocol/stamp.ts'
import type { ListParams } from './params.ts'
import { stateOf, timeOf } from './task.ts'

const PAGE_SIZE = 50

export interface Page {
  /** The runs that the page may have, in its order: no more than were asked for. */
  readonly runs: readonly Run[]
  readonly pageSize: number
  readonly totalSize: number
  /** The token for what comes after this run, which is the last that was shown. */
  nextAfter(shown: number): string
}

/** Newest status first, as A2A has it. */
export function pageOf(all: readonly Run[], params: ListParams): Page {
  const { contextId, status, statusTimestampAfter, pageToken, pageSize = PAGE_SIZE } = params
  const since = statusTimestampAfter === undefined ? '' : timeOf(statusTimestampAfter)
  const meant = all
    .filter(({ request }) => contextId === undefined || request.session_id === contextId)
    .filter((run) => [undefined, 'TASK_STATE_UNSPECIFIED', stateOf(run.status)].includes(status))
    .filter((run) => timeOf(changedAt(run)) >= since)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
  const start = pageToken === undefined ? meant : meant.filter((run) => placeOf(run) < placeIn(pageToken))
  const runs = start.slice(0, pageSize)
  return {
    runs,
    pageSize,
    totalSize: meant.length,
    nextAfter(shown) {
      const last = start[shown - 1]
      return last === undefined || shown === start.length ? '' : placeOf(last)
    },
  }
}

const changedAt = ({ ended_at, created_at }: Run) => ended_at ?? created_at

/** The position of a run in the list, from which the token of a page is made. */
const placeOf = (run: Run): string => `${changedAt(run)}~${run.run_id}`

function placeIn(token: string): string {
  if (parseStamp(token.split('~', 1)[0] ?? '') !== undefined) return token
  throw new Fault('invalid_params', 'Invalid params: pageToken: is not one that this list gave', {
    next: 'Leave it out to begin at the first page',
    data: { field: 'pageToken' },
  })
}

export function listOf(tasks: readonly JsonObject[], { pageSize, totalSize, nextAfter }: Page): JsonObject {
  return { tasks, nextPageToken: nextAfter(tasks.length), pageSize, totalSize }
}
