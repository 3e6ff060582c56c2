import { useSignal } from '@preact/signals'
import type { Answered } from '../../call/answer-store.ts'
import { call } from '../../call/call.ts'
import type { Shown } from '../../call/use-call.ts'
import { put } from '../../put.ts'
import { type FollowedRun, followRun } from './follow-run.ts'
import { useLooking } from './use-looking.ts'

const WAIT_SECONDS = 25

/** A run with all that it has told so far, as it comes. */
export function useRun(runId: string): Shown<FollowedRun> {
  const answered = useSignal<Answered<FollowedRun>>({ isAsking: true })
  const turn = useSignal(0)
  useLooking(
    ({ signal, goOn }) =>
      followRun({
        ask: (after) => call('cacp/run/get', { runId, after, waitSeconds: WAIT_SECONDS }, { signal }),
        tell: (value) => put(answered, { value, at: Date.now(), isAsking: false }),
        failed: (fault) => {
          if (!signal.aborted) answered.value = { ...answered.value, fault, isAsking: false }
        },
        goOn,
      }),
    `${runId} ${turn.value}`,
  )
  return { ...answered.value, again: () => turn.value++ }
}
