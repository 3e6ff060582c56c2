import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type RowWindow, windowOf } from './window.ts'

/** The window of a list of rows that are all as high as the first one, as the page is scrolled. */
export function useWindow<Rows extends HTMLElement>(count: number, usualHeight: number) {
  const rows = useRef<Rows>(null)
  const shown = useSignal<RowWindow>(
    windowOf({ count, rowHeight: usualHeight, above: 0, viewHeight: innerHeight }),
  )
  useEffect(() => {
    let waiting = 0
    const look = () => {
      waiting = 0
      const { current } = rows
      if (current === null) return
      const rowHeight = current.querySelector('[data-row]')?.getBoundingClientRect().height ?? usualHeight
      const next = windowOf({
        count,
        rowHeight,
        above: -current.getBoundingClientRect().top,
        viewHeight: innerHeight,
      })
      const { first, end, after } = shown.value
      if (next.first !== first || next.end !== end || next.after !== after) shown.value = next
    }
    const lookSoon = () => {
      waiting ||= requestAnimationFrame(look)
    }
    look()
    addEventListener('scroll', lookSoon, { passive: true })
    addEventListener('resize', lookSoon)
    return () => {
      cancelAnimationFrame(waiting)
      removeEventListener('scroll', lookSoon)
      removeEventListener('resize', lookSoon)
    }
  }, [count, usualHeight, shown])
  return { rows, shown: shown.value }
}
