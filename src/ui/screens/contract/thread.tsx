import { useSignal } from '@preact/signals'
import type { CallFault } from '../../call/fault.ts'
import { Failed } from '../../frame/answer.tsx'
import { Part } from '../../frame/part.tsx'
import { EntryView } from './entry.tsx'
import type { Entry, Repos } from './reading.ts'

interface ThreadProps {
  readonly entries: readonly Entry[]
  readonly projectId: string
  readonly repos: Repos
  readonly ownRepo: string | undefined
  /** Why context is missing among the entries. */
  readonly fault: CallFault | undefined
  /** Loads what is older than all entries; undefined: there is nothing. */
  readonly older: (() => void) | undefined
}

const PAGE = 50

/** All that was said and done about the contract, the newest first. */
export function Thread({ entries, projectId, repos, ownRepo, fault, older }: ThreadProps) {
  const most = useSignal(PAGE)
  const showOlder = () => {
    most.value += PAGE
    if (entries.length < most.value) older?.()
  }
  return (
    <Part title="What was said and done" class="panel">
      {fault !== undefined && <Failed fault={fault} />}
      <ol class="thread">
        {entries.slice(0, most.value).map((entry) => (
          <li key={entry.id}>
            <EntryView entry={entry} projectId={projectId} repos={repos} ownRepo={ownRepo} />
          </li>
        ))}
      </ol>
      {(entries.length > most.value || older !== undefined) && (
        <button type="button" onClick={showOlder}>
          Older
        </button>
      )}
    </Part>
  )
}
