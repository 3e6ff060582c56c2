import { computed, signal } from '@preact/signals'
import { PAGES } from '../place.ts'
import { type Destination, type Route, readRoute, writeRoute } from './route.ts'

const here = (): Route | undefined =>
  location.pathname.startsWith(PAGES) || `${location.pathname}/` === PAGES
    ? readRoute(location.pathname.slice(PAGES.length), location.search)
    : undefined

/** The page that is shown; undefined: there is no such page. */
export const route = signal<Route | undefined>(here())
addEventListener('popstate', () => {
  route.value = here()
})

/** The project that the person looks at; undefined: all. It stays while one goes from screen to screen. */
export const project = computed(() => route.value?.query['project'])

export const addressOf = (to: Destination): string => PAGES + writeRoute(to)

/** How many steps the browser can go back without leaving these pages. */
const steps = (): number => (history.state as { steps: number } | null)?.steps ?? 0

/** Goes to the page before, or to the inbox, where one came from elsewhere. */
export function goBack(): void {
  if (steps() > 0) history.back()
  else go({ screen: 'inbox' })
}

/** Goes to a page, which becomes a step for the browser's way back. */
export function go(to: Destination, isSamePage = false): void {
  history.pushState({ steps: steps() + 1 }, '', addressOf(to))
  route.value = here()
  if (!isSamePage) scrollTo(0, 0)
}

/** Changes how the present page is shown. */
export function show(change: Readonly<Record<string, string | undefined>>): void {
  const now = route.value
  if (now === undefined) return
  history.replaceState(history.state, '', addressOf({ ...now, query: { ...now.query, ...change } }))
  route.value = here()
}
