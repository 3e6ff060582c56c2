import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ROOT } from '../place.ts'
import { put } from '../put.ts'
import { session } from '../session/session.ts'

/** How much waits for a person; from the same list that the inbox shows. */
export const waitingCount = signal(0)
const pageTitle = signal('')

/** What the page is about, while a screen is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => put(pageTitle, title), [title])
}

/** Shows the count where it is seen while another tab is in front: in the title and in the icon. */
export function showCount(): void {
  effect(() => {
    const count = waitingCount.value
    const name = [pageTitle.value, session.value?.repo, 'cacpd'].filter(
      (part) => part !== undefined && part !== '',
    )
    document.title = `${count > 0 ? `(${count}) ` : ''}${name.join(' · ')}`
    const icon = document.querySelector('link[rel=icon]')
    icon?.setAttribute('href', `${ROOT}/ui/assets/${count > 0 ? 'icon-waiting' : 'icon'}.svg`)
  })
}
