import { FilterSelect, RepoSelect } from '../../form/select.tsx'
import { show } from '../../router/router.ts'
import { MOMENT_KINDS } from './moment.ts'
import type { Narrowing } from './narrowed.ts'

interface FiltersProps {
  readonly narrowing: Narrowing
  readonly repos: readonly string[]
}

/** What narrows the timeline. All of it is in the address. */
export function TimelineFilters({ narrowing: { kind, repo, q }, repos }: FiltersProps) {
  return (
    <div class="filter-row" role="search" aria-label="Filter the timeline">
      <input
        type="search"
        aria-label="Words"
        placeholder="Words…"
        maxLength={200}
        value={q}
        onInput={({ currentTarget }) => show({ q: currentTarget.value })}
      />
      <FilterSelect
        label="What happened"
        none="Everything"
        choices={Object.entries(MOMENT_KINDS)}
        of="kind"
        value={kind}
      />
      <RepoSelect names={repos} value={repo} />
    </div>
  )
}
