import type { Timers } from '../ports/ports.ts'

/** Runs a task again and again, each time so long after it has ended, until this is disposed of. */
export function repeat(timers: Timers, millis: number, task: () => Promise<void>): AsyncDisposable {
  let isOver = false
  let running: Promise<void> = Promise.resolve()
  let cancel = timers.after(millis, run)
  function run(): void {
    running = task().then(() => {
      if (!isOver) cancel = timers.after(millis, run)
    })
  }
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      cancel()
      await running
    },
  }
}
