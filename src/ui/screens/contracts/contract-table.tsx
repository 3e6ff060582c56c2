import { useEffect } from 'preact/hooks'
import { Failed } from '../../frame/answer.tsx'
import { Icon } from '../../frame/icon.tsx'
import { Tag } from '../../frame/tag.tsx'
import { memo } from '../../list/memo.ts'
import type { Paged } from '../../list/use-pages.ts'
import { useWindow } from '../../list/use-window.ts'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { Quoted } from '../../text/foreign.tsx'
import { DELIVERY_WORDS, STATUS_WORDS, TYPE_WORDS } from '../../text/words.ts'
import type { ContractRow } from './contracts.tsx'
import { PartyAnswers } from './party-answers.tsx'

interface TableProps {
  readonly paged: Paged<ContractRow>
  /** Whether all are of one project, so that no row has to say which. */
  readonly hasProject: boolean
}

const USUAL_HEIGHT = 60

/** Contracts, the last change first. Only the rows around those in view are in the page. */
export function ContractTable({ paged, hasProject }: TableProps) {
  const { rows, next, newer, fault, more, refresh } = paged
  const { rows: place, shown } = useWindow<HTMLTableSectionElement>(rows.length, USUAL_HEIGHT)
  const isNearEnd = shown.end >= rows.length - 20
  useEffect(() => {
    if (isNearEnd && next !== undefined) more()
  }, [isNearEnd, next])
  return (
    <>
      {newer > 0 && (
        <button type="button" class="new-rows" onClick={refresh}>
          {newer} new
        </button>
      )}
      <table class="contract-table" aria-rowcount={next === undefined ? rows.length + 1 : -1}>
        <thead>
          <tr>
            <th scope="col">Contract</th>
            <th scope="col">Status</th>
            <th scope="col">Version</th>
            <th scope="col">Parties</th>
            <th scope="col">Delivery</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody ref={place}>
          <Space height={shown.before} />
          {rows.slice(shown.first, shown.end).map((row, index) => (
            <Row
              key={`${row.projectId} ${row.contractId}`}
              row={row}
              index={shown.first + index + 2}
              hasProject={hasProject}
            />
          ))}
          <Space height={shown.after} />
        </tbody>
      </table>
      {fault !== undefined && <Failed fault={fault} again={more} />}
    </>
  )
}

function Space({ height }: { readonly height: number }) {
  if (height === 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus
    <tr aria-hidden="true" class="space">
      <td colSpan={6} style={{ height: `${height}px` }} />
    </tr>
  )
}

const Row = memo(({ row, index, hasProject }: { row: ContractRow; index: number; hasProject: boolean }) => {
  const { projectId, contractId, name, type, project, status, version, inForce, conflictCount, updatedAt } =
    row
  return (
    <tr data-row aria-rowindex={index}>
      <th scope="row">
        <Link to={{ screen: 'contract', ids: [projectId, contractId] }} class="row-name" data-open>
          <Quoted text={name} most={80} />
        </Link>
        <span class="row-note">
          {TYPE_WORDS[type] ?? type}
          {!hasProject && (
            <>
              {' '}
              in <Quoted text={project} most={40} />
            </>
          )}
        </span>
      </th>
      <td data-label="Status">
        <Tag said={STATUS_WORDS[status]} />
        {conflictCount > 0 && <Tag said={{ word: 'conflict', icon: 'fork', tone: 'bad' }} />}
        {row.failed && <Tag said={{ word: 'does not work', icon: 'cross', tone: 'bad' }} />}
        {row.endProposed && <Tag said={{ word: 'end proposed', icon: 'cross', tone: 'warn' }} />}
        {row.withdrawn && <Tag said={{ word: 'withdrawn', icon: 'cross', tone: 'calm' }} />}
        {row.retired && <Tag said={{ word: 'retired', icon: 'cross', tone: 'calm' }} />}
      </td>
      <td data-label="Version">
        v{version}
        {inForce !== null && inForce.version !== version && (
          <span class="row-note">v{inForce.version} in force</span>
        )}
      </td>
      <td data-label="Parties">
        <PartyAnswers parties={row.parties ?? []} />
      </td>
      <td data-label="Delivery">
        {row.delivery === undefined ? (
          <span class="quiet">
            <Icon name="minus" />
            <span class="visually-hidden">nothing to deliver</span>
          </span>
        ) : (
          <Tag said={DELIVERY_WORDS[row.delivery]} />
        )}
      </td>
      <td data-label="Changed">
        <Ago at={updatedAt} isShort />
      </td>
    </tr>
  )
})
