import type { Timers } from '../../engine/ports/ports.ts'

/** For what is only tried while the process is there anyway: nothing waits for these. */
export const backgroundTimers: Timers = {
  millis: () => performance.now(),
  after(millis, task) {
    const timer = setTimeout(task, millis).unref()
    return () => clearTimeout(timer)
  },
}

export const systemTimers: Timers = {
  millis: () => performance.now(),
  after(millis, task) {
    if (millis === 0) return soon(task)
    const timer = setTimeout(task, millis)
    return () => clearTimeout(timer)
  },
}

/** When all others have had their turn: the shortest time that can be waited is much longer than that. */
function soon(task: () => void): () => void {
  const immediate = setImmediate(task)
  return () => clearImmediate(immediate)
}
