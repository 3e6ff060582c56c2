/** Runs a task when it is its turn. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Runs tasks in the order in which they come, at most so many at a time: left out, one after the other. A failed task
 * does not stop the next one.
 */
export function createInTurn(most = 1): InTurn {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
