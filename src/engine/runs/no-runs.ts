import type { Runs } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'

const refuse = (): never => {
  throw new Fault('unavailable', 'Nobody does any work here')
}

/** For daemons without runners, as in simulations. */
export const NO_RUNS: Runs = {
  start: refuse,
  get: refuse,
  find: refuse,
  result: refuse,
  follow: refuse,
  nextEvents: refuse,
  list: () => [],
  cancel: refuse,
  retry: refuse,
  history: refuse,
  workTypes: () => [],
  obstacles: async () => [],
}
