/** Runs what it is given one after the other, in the order in which it came. What fails holds nobody up. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
