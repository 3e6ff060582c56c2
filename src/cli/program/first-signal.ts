/** Resolves at the first SIGINT or SIGTERM; whoever sends a second one does not want to wait. */
export function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = () => {
      if (isStopping) process.exit(1)
      isStopping = true
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
