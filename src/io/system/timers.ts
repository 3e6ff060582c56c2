import type { Timers } from '../../engine/ports/ports.ts'

/** Timers that do not keep the process alive. */
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

/** Runs the task after all other work that is ready: a timer of 0 ms would take much longer. */
function soon(task: () => void): () => void {
  const immediate = setImmediate(task)
  return () => clearImmediate(immediate)
}
