import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { put } from '../put.ts'
import { useKey } from './keys.ts'

/** Whether everything that can be folded is open. */
export const isAllOpen = signal(false)

/** `o` opens all that is folded on a screen, and folds it again. */
export function useUnfoldKey(): void {
  useKey('o', 'open all that is folded, or fold it again', () => {
    isAllOpen.value = !isAllOpen.value
    for (const one of document.querySelectorAll<HTMLDetailsElement>('main details:not(.nested)'))
      one.open = isAllOpen.value
  })
  useEffect(() => () => put(isAllOpen, false), [])
}
