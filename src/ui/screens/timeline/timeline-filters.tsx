import { show } from '../../router/router.ts'
import { visibleText } from '../../text/hidden.ts'
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
      <label>
        <span class="visually-hidden">What happened</span>
        <select value={kind ?? ''} onChange={({ currentTarget }) => show({ kind: currentTarget.value })}>
          <option value="">Everything</option>
          {Object.entries(MOMENT_KINDS).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">Repository</span>
        <select value={repo ?? ''} onChange={({ currentTarget }) => show({ repo: currentTarget.value })}>
          <option value="">Any repository</option>
          {repos.map((name) => (
            <option key={name} value={name}>
              {visibleText(name)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
