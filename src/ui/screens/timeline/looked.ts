import { useEffect, useRef } from 'preact/hooks'
import { setting } from '../../frame/settings.ts'

/** The time of the newest moment that this person has seen here; empty: never looked. */
const looked = setting<string>('timeline', '')

/**
 * When the person looked last before this time, which stays as it is while the page is open. What is shown now counts
 * as seen when the person turns away.
 */
export function useLooked(newest: string | undefined): string | undefined {
  const before = useRef(looked.value === '' ? undefined : looked.value)
  const seen = useRef(newest)
  seen.current = newest
  useEffect(() => {
    const turnAway = () => {
      if (seen.current !== undefined && seen.current > looked.value) looked.value = seen.current
    }
    const hide = () => document.visibilityState === 'hidden' && turnAway()
    document.addEventListener('visibilitychange', hide)
    addEventListener('pagehide', turnAway)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      removeEventListener('pagehide', turnAway)
      turnAway()
    }
  }, [])
  return before.current
}
