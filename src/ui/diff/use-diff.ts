import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JsonValue } from '../json/value.ts'
import { type Gathered, gather } from './gather.ts'
import { type DiffRow, diffRows } from './rows.ts'

const BUDGET = 2000
const MOST_ROWS = 200_000

/** The rows of a comparison; undefined while they are computed. */
export function useDiff(before: JsonValue, after: JsonValue): Gathered<DiffRow> | undefined {
  const rows = useSignal<Gathered<DiffRow> | undefined>(undefined)
  useEffect(() => {
    let isLeft = false
    rows.value = undefined
    const pace = {
      budget: BUDGET,
      most: MOST_ROWS,
      now: () => performance.now(),
      pause: () => new Promise<void>((resolve) => setTimeout(resolve)),
      isCancelled: () => isLeft,
    }
    void gather(diffRows(before, after), pace).then((gathered) => {
      if (!isLeft) rows.value = gathered
    })
    return () => {
      isLeft = true
    }
  }, [before, after, rows])
  return rows.value
}
