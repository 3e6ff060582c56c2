/** Runs tasks one after the other, in the order in which they come. A failed task does not stop the next one. */
export type OneAtATime = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
