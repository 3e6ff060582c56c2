import type { ResultOf } from '../../../methods/table.ts'
import { useCall } from '../../call/use-call.ts'
import { Answer } from '../../frame/answer.tsx'
import { Icon } from '../../frame/icon.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { figure } from '../../text/figures.ts'
import { Quoted } from '../../text/foreign.tsx'
import { STATUS_WORDS, STATUSES, type Status, TYPE_WORDS } from '../../text/words.ts'
import { PartyAnswers } from './party-answers.tsx'
import { type Filters, paramsOf } from './query.ts'

interface BoardProps {
  readonly filters: Filters
  readonly counts: ResultOf<'cacp/contract/list'>['counts']
}

/** The same contracts in columns by status. A status follows from what was said, so nothing can be moved. */
export function Board({ filters, counts }: BoardProps) {
  const shown = filters.status === undefined ? STATUSES : [filters.status]
  return (
    <div class="board">
      {shown.map((status) => (
        <Column key={status} status={status} filters={filters} count={counts?.[status]} />
      ))}
    </div>
  )
}

const PAGE = 25

function Column({ status, filters, count }: { status: Status; filters: Filters; count: number | undefined }) {
  const list = useCall('cacp/contract/list', paramsOf({ ...filters, status }, PAGE), { kinds: ['contract'] })
  return (
    <section aria-labelledby={`column-${status}`} class="column">
      <h2 id={`column-${status}`}>
        <Icon name={STATUS_WORDS[status].icon} />
        {status} <span class="filter-count">{count}</span>
      </h2>
      <Answer of={list} empty={({ contracts }) => contracts.length === 0 && <p class="quiet">None.</p>}>
        {({ contracts }) => (
          <ul>
            {contracts.map(
              ({ projectId, contractId, name, type, version, updatedAt, conflictCount, parties }) => (
                <li key={`${projectId} ${contractId}`} data-row class="card">
                  <Link to={{ screen: 'contract', ids: [projectId, contractId] }} data-open>
                    <Quoted text={name} most={80} />
                  </Link>
                  <span class="row-note">
                    {TYPE_WORDS[type] ?? type} · v{version} · <Ago at={updatedAt} isShort />
                  </span>
                  {conflictCount > 0 && (
                    <span class="bad-word">
                      <Icon name="fork" /> conflict
                    </span>
                  )}
                  <PartyAnswers parties={parties ?? []} />
                </li>
              ),
            )}
          </ul>
        )}
      </Answer>
      {count !== undefined && count > PAGE && (
        <Link to={{ screen: 'contracts', query: { project: filters.projectId, status } }}>
          All {figure(count)} in the table
        </Link>
      )}
    </section>
  )
}
