import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ResultOf } from '../../../methods/table.ts'
import { call } from '../../call/call.ts'
import { type Shown, useCall } from '../../call/use-call.ts'

type Thread = ResultOf<'cacp/context/getThread'>

export interface WholeThread {
  readonly thread: Shown<Thread>
  /** All that was loaded, in order of time. */
  readonly packets: Thread['thread']
  /** Loads what comes after that; undefined: that is all. */
  readonly more: (() => void) | undefined
}

/** A conversation. One that is longer than an answer of the daemon is loaded page by page. */
export function useThread(projectId: string, packetId: string): WholeThread {
  const about = { projectId, packetId }
  const thread = useCall('cacp/context/getThread', about, { kinds: ['packet'], projectId })
  const later = useSignal<{ readonly packets: Thread['thread']; readonly hasMore: boolean } | undefined>(
    undefined,
  )
  const first = thread.value?.thread ?? []
  const packets = [...first, ...(later.value?.packets ?? [])]
  const last = packets.at(-1)?.packet_id
  const load = async () => {
    const outcome = await call('cacp/context/getThread', {
      ...about,
      ...(last === undefined ? {} : { after: last }),
    })
    if (!outcome.ok) return
    const known = later.value?.packets ?? []
    later.value = {
      packets: [...known, ...outcome.result.thread],
      hasMore: outcome.result.truncated === true,
    }
  }
  // What is new comes at the end, of which the first page knows nothing.
  useEffect(() => {
    if (later.value !== undefined && !later.value.hasMore) void load()
  }, [thread.at])
  const hasMore = later.value === undefined ? thread.value?.truncated === true : later.value.hasMore
  return { thread, packets, more: hasMore ? () => void load() : undefined }
}
