import type { Dispatch } from '../../dispatch/dispatch.ts'

/** How many calls are made before others get their turn. */
const SLICE = 100

/**
 * For calls that one answer of a peer brings: there can be very many, and one that is refused ends without waiting for
 * anything, so that nobody else would be heard before the last.
 */
export function inSlices(dispatch: Dispatch, pause: () => Promise<void>): Dispatch {
  let calls = 0
  return async (call) => {
    calls++
    if (calls % SLICE === 0) await pause()
    return dispatch(call)
  }
}
