import { useEffect } from 'preact/hooks'

const PAUSE = 2000

export interface Looking {
  readonly signal: AbortSignal
  /** Waits while the tab is hidden, and for a moment after a failure; false once the component is gone. */
  goOn(hasFailed: boolean): Promise<boolean>
}

/** Does something as long as a component is shown: only a tab that is seen holds a connection open. */
export function useLooking(look: (looking: Looking) => Promise<void>, about: string): void {
  useEffect(() => {
    const gone = new AbortController()
    const { signal } = gone
    const goOn = async (hasFailed: boolean): Promise<boolean> => {
      if (hasFailed) await new Promise((resolve) => setTimeout(resolve, PAUSE))
      await seen(signal)
      return !signal.aborted
    }
    void look({ signal, goOn })
    return () => gone.abort()
  }, [about])
}

function seen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return
      document.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      resolve()
    }
    document.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
    look()
  })
}
