import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { Icon } from '../../frame/icon.tsx'
import { show } from '../../router/router.ts'
import { figure } from '../../text/figures.ts'
import { visibleText } from '../../text/hidden.ts'
import { STATUS_WORDS, STATUSES, TYPE_WORDS } from '../../text/words.ts'
import type { Filters } from './query.ts'

type Counts = ResultOf<'cacp/contract/list'>['counts']

interface FiltersProps {
  readonly filters: Filters
  readonly counts: Counts
}

/** What narrows the list. All of it is in the address. */
export function ContractFilters({ filters, counts }: FiltersProps) {
  const { status, type, isMine, isStuck } = filters
  const total = counts && STATUSES.reduce((sum, one) => sum + counts[one], 0)
  return (
    <div class="filters" role="search" aria-label="Filter contracts">
      <div class="status-filter" role="group" aria-label="Status">
        <button type="button" aria-pressed={status === undefined} onClick={() => show({ status: undefined })}>
          All <Count of={total} />
        </button>
        {STATUSES.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={status === one}
            onClick={() => show({ status: status === one ? undefined : one })}
          >
            <Icon name={STATUS_WORDS[one].icon} />
            {one} <Count of={counts?.[one]} />
          </button>
        ))}
      </div>
      <div class="filter-row">
        <NameFilter q={filters.q} />
        <label>
          <span class="visually-hidden">Type</span>
          <select value={type ?? ''} onChange={({ currentTarget }) => show({ type: currentTarget.value })}>
            <option value="">Any type</option>
            {Object.entries(TYPE_WORDS).map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </label>
        <RepoFilter filters={filters} />
        <label class="choice">
          <input
            type="checkbox"
            checked={isMine}
            onChange={({ currentTarget }) => show({ mine: currentTarget.checked ? 'yes' : undefined })}
          />
          Ours
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={isStuck}
            onChange={({ currentTarget }) => show({ stuck: currentTarget.checked ? 'yes' : undefined })}
          />
          Stuck for an hour
        </label>
      </div>
    </div>
  )
}

function Count({ of }: { readonly of: number | undefined }) {
  return <span class="filter-count">{of === undefined ? '' : figure(of)}</span>
}

const PAUSE = 200

/** Waits for a pause in typing, so that not every letter asks the daemon. */
function NameFilter({ q }: { readonly q: string }) {
  const typed = useSignal(q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    typed.value = q
  }, [q, typed])
  return (
    <input
      type="search"
      aria-label="Name contains"
      placeholder="Name contains…"
      maxLength={200}
      value={typed.value}
      onInput={({ currentTarget: { value } }) => {
        typed.value = value
        clearTimeout(timer.current)
        timer.current = setTimeout(() => show({ q: value }), PAUSE)
      }}
    />
  )
}

function RepoFilter({ filters }: { readonly filters: Filters }) {
  const { projectId, repo } = filters
  const overview = useCall('cacp/project/overview', projectId === undefined ? {} : { projectId }, {
    kinds: ['project', 'repo'],
  })
  const names = new Set(overview.value?.projects.flatMap(({ repos }) => repos.map(({ name }) => name)))
  if (repo !== undefined) names.add(repo)
  return (
    <label>
      <span class="visually-hidden">Repository</span>
      <select value={repo ?? ''} onChange={({ currentTarget }) => show({ repo: currentTarget.value })}>
        <option value="">Any repository</option>
        {[...names].sort().map((name) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </select>
    </label>
  )
}
