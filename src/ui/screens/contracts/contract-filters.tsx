import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { Tick } from '../../form/choice.tsx'
import { FilterSelect, RepoSelect } from '../../form/select.tsx'
import { Icon } from '../../frame/icon.tsx'
import { put } from '../../put.ts'
import { show } from '../../router/router.ts'
import { figure } from '../../text/figures.ts'
import { STATUS_WORDS, STATUSES, TYPE_WORDS } from '../../text/words.ts'
import type { Filters } from './query.ts'

type Counts = ResultOf<'cacp/contract/list'>['counts']

/** What narrows the list. All of it is in the address. */
export function ContractFilters({ filters, counts }: { readonly filters: Filters; readonly counts: Counts }) {
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
        <FilterSelect
          label="Type"
          none="Any type"
          choices={Object.entries(TYPE_WORDS)}
          of="type"
          value={type}
        />
        <RepoFilter filters={filters} />
        <Tick isOn={isMine} turn={(isOn) => show({ mine: isOn ? 'yes' : undefined })}>
          Ours
        </Tick>
        <Tick isOn={isStuck} turn={(isOn) => show({ stuck: isOn ? 'yes' : undefined })}>
          Stuck for an hour
        </Tick>
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
  useEffect(() => put(typed, q), [q, typed])
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
  return <RepoSelect names={[...names].sort()} value={repo} />
}
