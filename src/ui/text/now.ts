import { signal } from '@preact/signals'

/** The present time in milliseconds, as far as what is shown depends on it. */
export const now = signal(Date.now())

const TICK = 1000
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}, TICK)
document.addEventListener('visibilitychange', () => {
  now.value = Date.now()
})
