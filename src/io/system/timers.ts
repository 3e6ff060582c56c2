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
    if (millis === 0) {
      // After all other work that is ready: a timer of 0 ms would take much longer.
      const immediate = setImmediate(task)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(task, millis)
    return () => clearTimeout(timer)
  },
}

/** What comes within this time; else this is thrown. */
export async function inTime<Result>(coming: Promise<Result>, millis: number, tooLate: () => Error) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate()), millis)
  })
  return await Promise.race([coming, late]).finally(() => clearTimeout(timer))
}
