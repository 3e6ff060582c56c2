import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { ResultOf } from '../../../methods/table.ts'
import { type Shown, useCall } from '../../call/use-call.ts'

type Thread = ResultOf<'cacp/context/getThread'>

export interface WholeThread {
  readonly thread: Shown<Thread>
  /** How many more the next ones are, of those between the first packet and the others; 0: there are no more to be had. */
  readonly next: number
  /** Shows those, too. */
  more(): void
}

/** Most of a long conversation that is shown at once: its beginning, and its end. */
const PAGE = 50
/** As many as the daemon tells at once. */
const MOST = 1000

/** A conversation: its first packet and the last ones, and more of those in between on demand. */
export function useThread(projectId: string, packetId: string): WholeThread {
  const last = useSignal(PAGE)
  const answered = useCall(
    'cacp/context/getThread',
    { projectId, packetId, last: last.value },
    { kinds: ['packet'], projectId },
  )
  // What was there stays while more of it comes.
  const known = useRef(answered)
  if (answered.value !== undefined || answered.fault !== undefined) known.current = answered
  const thread = known.current.value === undefined ? answered : { ...known.current, again: answered.again }
  const { left = 0, truncated } = thread.value ?? {}
  return {
    thread,
    next: truncated === true ? 0 : Math.min(PAGE, left, MOST - last.value),
    more() {
      last.value += PAGE
    },
  }
}
