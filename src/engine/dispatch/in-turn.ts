/** Runs tasks one after the other, in the order in which they came. A task that fails does not stop the next. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
