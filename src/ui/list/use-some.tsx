import { useSignal } from '@preact/signals'
import { put } from '../put.ts'
import { figure } from '../text/figures.ts'

/** The first rows of a list that may be long, and a button for more of them. */
export function useSome<Row>(rows: readonly Row[], page: number) {
  const most = useSignal(page)
  const left = rows.length - most.value
  return {
    some: rows.slice(0, most.value),
    more: left > 0 && (
      <p>
        <button type="button" onClick={() => put(most, most.value + page)}>
          Show {Math.min(page, left)} more of {figure(rows.length)}
        </button>
      </p>
    ),
  }
}
