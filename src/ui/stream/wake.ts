/** The computer slept: a timer fired much later than it should have. */
interface Waking {
  readonly isLate: boolean
}

const listeners = new Set<(waking: Waking) => void>()
const BEAT = 5000
const LATE = 10_000

/** Calls back when the tab is shown, the network or the daemon comes back, or the computer wakes up. */
export function onWake(listener: (waking: Waking) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells that nothing has to be waited for any more. */
export const wake = (waking: Waking): void => {
  for (const listener of [...listeners]) listener(waking)
}

let last = Date.now()
setInterval(() => {
  const now = Date.now()
  const isLate = now - last > BEAT + LATE
  last = now
  if (isLate) wake({ isLate })
}, BEAT)

addEventListener('online', () => wake({ isLate: true }))
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wake({ isLate: Date.now() - last > BEAT + LATE })
})
