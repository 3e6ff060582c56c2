import type { Runs, Works } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'

const refusing = (why: string) => (): never => {
  throw new Fault('unavailable', why)
}
const noRun = refusing('Nobody does any work here')
const noWork = refusing('No work is delegated here')

/** For daemons without runners, as in simulations. */
export const NO_RUNS: Runs = {
  start: noRun,
  get: noRun,
  find: noRun,
  result: noRun,
  follow: noRun,
  nextEvents: noRun,
  list: () => [],
  cancel: noRun,
  retry: noRun,
  history: noRun,
  workTypes: () => [],
  obstacles: async () => [],
}

/** For engines that delegate no work, as in simulations. */
export const NO_WORKS: Works = {
  send: noWork,
  get: noWork,
  wait: noWork,
  list: () => [],
  cancel: noWork,
  receive: noWork,
  lastHeartbeat: () => null,
}
