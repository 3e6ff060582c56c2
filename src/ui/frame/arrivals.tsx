import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { onNews } from '../stream/bus.ts'

/** At most one message in this time. */
const PAUSE = 5000

/** Says to those who hear the page that something changed: many changes at once are one sentence. */
export function Arrivals() {
  const words = useSignal('')
  useEffect(() => {
    let count = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onNews(({ changes }) => {
      count += changes.filter(({ kind }) => kind !== 'receipt').length
      if (count === 0) return
      timer ??= setTimeout(() => {
        timer = undefined
        words.value = count === 1 ? 'One change arrived' : `${count} changes arrived`
        count = 0
      }, PAUSE)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [words])
  return (
    <p class="visually-hidden" role="status">
      {words}
    </p>
  )
}
