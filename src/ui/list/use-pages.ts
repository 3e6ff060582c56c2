import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { CallFault, Outcome } from '../call/fault.ts'
import { firstPage, type Listed, type Page, withFresh, withNext } from './pages.ts'

interface Paging<Row> {
  /** What the list is about; another key begins another list. */
  readonly key: string
  /** Its first page as it is now; undefined: not known yet. */
  readonly first: Page<Row> | undefined
  idOf(row: Row): string
  /** Asks for the page that begins there. */
  load(next: string): Promise<Outcome<Page<Row>>>
}

export interface Paged<Row> extends Listed<Row> {
  /** Why the next page could not be had. */
  readonly fault: CallFault | undefined
  /** Loads the next page, if there is one. */
  more(): void
  /** Shows the rows that are new. */
  refresh(): void
}

const NOTHING = { rows: [], next: undefined, newer: 0 }

/** A list whose first page is told again and again, while what one reads stays where it is. */
export function usePages<Row>({ key, first, idOf, load }: Paging<Row>): Paged<Row> {
  const shown = useSignal<{ key: string; listed: Listed<Row> } | undefined>(undefined)
  const fault = useSignal<CallFault | undefined>(undefined)
  const isLoading = useSignal(false)
  useEffect(() => {
    if (first === undefined) return
    const { value } = shown
    const listed = value?.key === key ? withFresh(value.listed, first, idOf) : firstPage(first)
    shown.value = { key, listed }
  }, [key, first])
  const listed =
    shown.value?.key === key ? shown.value.listed : first === undefined ? NOTHING : firstPage(first)
  const loadMore = async () => {
    if (listed.next === undefined || isLoading.value) return
    isLoading.value = true
    const outcome = await load(listed.next)
    isLoading.value = false
    fault.value = outcome.ok ? undefined : outcome.fault
    if (outcome.ok && shown.value?.key === key)
      shown.value = { key, listed: withNext(shown.value.listed, outcome.result, idOf) }
  }
  return {
    ...listed,
    fault: fault.value,
    more: () => void loadMore(),
    refresh() {
      if (first !== undefined) shown.value = { key, listed: firstPage(first) }
      scrollTo(0, 0)
    },
  }
}
