/** Resolves when `begin` calls back, or with the signal. What `begin` returns is called then, to end the waiting. */
export function waitUntil(begin: (wake: () => void) => () => void, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const wake = () => {
      end()
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    signal?.addEventListener('abort', wake)
    const end = begin(wake)
  })
}
