import type { Timers } from '../engine/ports.ts'

export const systemTimers: Timers = {
  after(millis, task) {
    const timer = setTimeout(task, millis)
    return () => clearTimeout(timer)
  },
}
