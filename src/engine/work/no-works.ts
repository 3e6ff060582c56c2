import type { Works } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'

const refuse = (): never => {
  throw new Fault('unavailable', 'No work is delegated here')
}

/** For engines that delegate no work, as in simulations. */
export const NO_WORKS: Works = {
  send: refuse,
  get: refuse,
  wait: refuse,
  list: () => [],
  cancel: refuse,
  receive: refuse,
  lastHeartbeat: () => null,
}
