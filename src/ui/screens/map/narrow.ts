import { signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 640px)')

/** Whether the page is as narrow as on a telephone. */
export const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isNarrow.value = narrow.matches
})
