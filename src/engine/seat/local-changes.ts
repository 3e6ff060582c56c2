import type { LocalChange } from '../../domain/change.ts'
import type { LocalNews, LocalPart } from '../../methods/seat/service.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import type { Timers } from '../ports/ports.ts'
import { sleep, waitUntil } from '../timing/wait-until.ts'

/** How long a reader is told nothing more after it was told something: what changes meanwhile is told together. */
const PAUSE_MILLIS = 250

const MOST_IDS_TOLD = 50

/** Which stored records belong to which part; all others are told by nobody. */
const PARTS: Partial<Record<LocalChange['table'], LocalPart>> = {
  peer: 'peers',
  link: 'peers',
  invite: 'invites',
}

type Pending = Map<LocalPart, Set<string>>

export type LocalChanges = ReturnType<typeof createLocalChanges>

/** Tells readers which parts of this daemon look different now. Nothing is kept for who reads later. */
export function createLocalChanges(timers: Pick<Timers, 'after'>) {
  const readers = new Set<(part: LocalPart, id: string) => void>()
  return { note, noteStored, follow }

  function note(part: LocalPart, id: string): void {
    for (const tell of readers) tell(part, id)
  }

  function noteStored(changes: readonly Pick<LocalChange, 'table' | 'id'>[]): void {
    for (const { table, id } of changes) {
      const part = PARTS[table]
      if (part !== undefined) note(part, id)
    }
  }

  async function* follow(signal: AbortSignal): AsyncGenerator<readonly LocalNews[]> {
    const pending: Pending = new Map()
    let wake = () => {}
    const hear = (part: LocalPart, id: string) => {
      const ids = getOrAdd(pending, part, () => new Set())
      if (ids.size < MOST_IDS_TOLD) ids.add(id)
      wake()
    }
    readers.add(hear)
    try {
      while (!signal.aborted) {
        if (pending.size === 0) {
          await waitUntil((done) => {
            wake = done
            return () => {}
          }, signal)
          continue
        }
        const news = Array.from(pending, ([table, ids]) => ({ table, ids: [...ids] }))
        pending.clear()
        yield news
        await sleep(timers, PAUSE_MILLIS, signal)
      }
    } finally {
      readers.delete(hear)
    }
  }
}
