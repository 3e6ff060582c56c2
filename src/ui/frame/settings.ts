import { effect, type Signal, signal } from '@preact/signals'
import { PAGES } from '../place.ts'

/** A wish of this person, kept in this browser. */
export function setting<Value extends string>(name: string, usual: Value): Signal<Value> {
  const key = `cacpd ${PAGES} ${name}`
  const wish = signal((localStorage.getItem(key) as Value | null) ?? usual)
  effect(() => {
    if (wish.value === usual) localStorage.removeItem(key)
    else localStorage.setItem(key, wish.value)
  })
  return wish
}
