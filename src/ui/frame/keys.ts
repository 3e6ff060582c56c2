import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { put } from '../put.ts'
import { setting } from './settings.ts'

/** Keys that do something on the page that is shown. None of them does what cannot be undone. */
interface Key {
  /** Such as `j`, or `g i` for one after the other. */
  readonly keys: string
  readonly does: string
  act(): void
}

export const activeKeys = signal<readonly Key[]>([])
/** People may switch them off: speech input and some assistive tools type single letters. */
export const keysOn = setting<'on' | 'off'>('keys', 'on')

/**
 * Binds a key while a component is shown; the component that was shown last wins. What `act` reads of the properties and
 * the state of the component has to be in `about`: only when that changes it is bound anew.
 */
export function useKey(keys: string, does: string, act: () => void, about: readonly unknown[] = []): void {
  useEffect(() => {
    const key = { keys, does, act }
    activeKeys.value = [...activeKeys.value, key]
    return () =>
      put(
        activeKeys,
        activeKeys.value.filter((one) => one !== key),
      )
  }, [keys, does, ...about])
}

const SEQUENCE = 1200
let before: { key: string; at: number } | undefined

export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keysOn.value !== 'on' || isTyping(event)) return
    if (document.querySelector('dialog[open]') !== null && event.key !== '?') return
    const isSecond = before !== undefined && event.timeStamp - before.at < SEQUENCE
    const pressed = isSecond ? `${before?.key} ${event.key}` : event.key
    before = undefined
    const found = activeKeys.value.findLast(
      ({ keys }) => keys === pressed || (isSecond && keys === event.key),
    )
    if (found !== undefined) {
      event.preventDefault()
      found.act()
    } else if (activeKeys.value.some(({ keys }) => keys.startsWith(`${event.key} `)))
      before = { key: event.key, at: event.timeStamp }
  })
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
