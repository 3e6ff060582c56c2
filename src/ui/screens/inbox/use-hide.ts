import { useSignal } from '@preact/signals'
import { call } from '../../call/call.ts'
import type { CallFault } from '../../call/fault.ts'
import { show } from '../../router/router.ts'
import type { InboxRow } from './rows.ts'

export interface Hiding {
  /** The row that was hidden last; undefined: none, or it is shown again. */
  readonly hidden: InboxRow | undefined
  readonly fault: CallFault | undefined
  hide(row: InboxRow): void
  undo(): void
}

/** Hides items of the agent until they change: for this person only, and only what was seen. */
export function useHide(rows: readonly InboxRow[], again: () => void): Hiding {
  const hidden = useSignal<InboxRow | undefined>(undefined)
  const fault = useSignal<CallFault | undefined>(undefined)
  const acknowledge = async (row: InboxRow, undo: boolean) => {
    const outcome = await call('cacp/inbox/ack', { itemId: row.id, undo })
    fault.value = outcome.ok ? undefined : outcome.fault
    if (!outcome.ok) return
    hidden.value = undo ? undefined : row
    const at = rows.findIndex(({ id }) => id === row.id)
    const next = undo ? row : (rows[at + 1] ?? rows[at - 1])
    show({ item: next?.id, act: undefined })
    again()
  }
  return {
    hidden: hidden.value,
    fault: fault.value,
    hide: (row) => void acknowledge(row, false),
    undo: () => hidden.value !== undefined && void acknowledge(hidden.value, true),
  }
}
