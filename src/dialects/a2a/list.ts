import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Run } from '../../protocol/run/run.ts'
import { parseStamp } from '../../protocol/stamp.ts'
import type { ListParams } from './params.ts'
import { stateOf, timeOf } from './task.ts'

const PAGE_SIZE = 50

/** Newest status first, as A2A has it. */
export function pageOf(all: readonly Run[], params: ListParams) {
  const { contextId, status, statusTimestampAfter, pageToken, pageSize = PAGE_SIZE } = params
  const since = statusTimestampAfter === undefined ? '' : timeOf(statusTimestampAfter)
  const meant = all
    .filter(({ request }) => contextId === undefined || request.session_id === contextId)
    .filter((run) => [undefined, 'TASK_STATE_UNSPECIFIED', stateOf(run.status)].includes(status))
    .filter((run) => timeOf(changedAt(run)) >= since)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
  const start = pageToken === undefined ? meant : meant.filter((run) => placeOf(run) < placeIn(pageToken))
  return {
    /** The runs that the page may have, in its order: no more than were asked for. */
    runs: start.slice(0, pageSize),
    /** The answer with the tasks of these runs, or of the first of them: the rest is on the next page. */
    listOf(tasks: readonly JsonObject[]): JsonObject {
      const last = tasks.length === start.length ? undefined : start[tasks.length - 1]
      const nextPageToken = last === undefined ? '' : placeOf(last)
      return { tasks, nextPageToken, pageSize, totalSize: meant.length }
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
