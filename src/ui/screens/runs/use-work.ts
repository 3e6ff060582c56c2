import { useSignal } from '@preact/signals'
import type { ResultOf } from '../../../methods/table.ts'
import type { Answered } from '../../call/answer-store.ts'
import { call } from '../../call/call.ts'
import type { Shown } from '../../call/use-call.ts'
import { isOver } from './status.ts'
import { useLooking } from './use-looking.ts'

export type FollowedWork = ResultOf<'cacp/work/get'>

const WAIT_SECONDS = 25

/** Work that was sent to another agent, followed to its end. */
export function useWork(workId: string): Shown<FollowedWork> {
  const answered = useSignal<Answered<FollowedWork>>({ isAsking: true })
  const turn = useSignal(0)
  useLooking(async ({ signal, goOn }) => {
    let after: number | undefined
    for (let hasFailed = false; await goOn(hasFailed); ) {
      const wait = after === undefined ? {} : { after, waitSeconds: WAIT_SECONDS }
      const outcome = await call('cacp/work/get', { workId, includeRequest: true, ...wait }, { signal })
      if (signal.aborted) return
      hasFailed = !outcome.ok
      if (outcome.ok) {
        const { work } = outcome.result
        after = work.updates
        answered.value = { value: outcome.result, at: Date.now(), isAsking: false }
        if (isOver(work.status)) return
      } else answered.value = { ...answered.value, fault: outcome.fault, isAsking: false }
    }
  }, `${workId} ${turn.value}`)
  return { ...answered.value, again: () => turn.value++ }
}
