import { Icon } from '../../frame/icon.tsx'
import { Tag } from '../../frame/tag.tsx'
import { Link } from '../../router/link.tsx'
import { Ago } from '../../text/ago.tsx'
import { figure } from '../../text/figures.ts'
import { Foreign, Names, Quoted } from '../../text/foreign.tsx'
import { DELIVERY_WORDS } from '../../text/words.ts'
import { type Group, type InboxRow, KIND_WORDS, type Todo, type Wait } from './rows.ts'

interface InboxListProps {
  readonly rows: readonly InboxRow[]
  readonly todo: Todo
  readonly openId: string | undefined
  readonly query: Readonly<Record<string, string>>
}

const GROUPS: readonly { group: Group; title: string; none: string }[] = [
  { group: 'person', title: 'Only a person can', none: 'Nothing waits for a person.' },
  { group: 'agent', title: 'Your agent has it', none: 'Your agent has nothing to do.' },
  { group: 'waiting', title: 'You wait for', none: 'This repository waits for nobody.' },
]

/** Three groups, one list. */
export function InboxList({ rows, todo, openId, query }: InboxListProps) {
  return (
    <div class="inbox-list">
      {GROUPS.map(({ group, title, none }) => {
        const own = rows.filter((row) => row.group === group)
        return (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>
              {title} <span class="filter-count">{figure(todo.counts[group])}</span>
              {group === 'agent' && todo.counts.overdue > 0 && (
                <Tag said={{ word: `${todo.counts.overdue} overdue`, icon: 'clock', tone: 'bad' }} />
              )}
            </h2>
            {own.length === 0 ? (
              <p class="quiet none">{none}</p>
            ) : (
              <ul class="rows">
                {own.map((row) => (
                  <li key={row.id} data-row class={isOverdue(row) ? 'overdue' : undefined}>
                    <Link
                      to={{ screen: 'inbox', query: { ...query, item: row.id, act: undefined } }}
                      aria-current={row.id === openId ? 'true' : undefined}
                      data-open
                    >
                      <RowText row={row} />
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            {todo.counts[group] > own.length && (
              <p class="quiet none">
                {figure(todo.counts[group] - own.length)} more; <code>cacpd inbox</code> lists them.
              </p>
            )}
          </section>
        )
      })}
    </div>
  )
}

const isOverdue = (row: InboxRow): boolean => row.group === 'agent' && row.of.overdue

function RowText({ row }: { readonly row: InboxRow }) {
  if (row.group === 'waiting') return <WaitText of={row.of} />
  const { kind, why, since } = row.of
  const { word, icon } = KIND_WORDS[kind]
  const name = row.group === 'person' ? row.of.name : row.of.about.name
  return (
    <>
      <Icon name={icon} />
      <span class="row-texts">
        <span class="row-title">
          <span class="kind">{word}</span> <Quoted text={name} most={80} />
        </span>
        <span class="row-why">
          <Foreign text={why} />
        </span>
      </span>
      <span class="row-age">
        {since !== null && <Ago at={since} isShort />}
        {isOverdue(row) && <span class="overdue-word">overdue</span>}
      </span>
    </>
  )
}

function WaitText({ of }: { readonly of: Wait }) {
  const { about, repos, for: to, since, delivery, objectedBy } = of
  return (
    <>
      <Icon name="clock" />
      <span class="row-texts">
        <span class="row-title">
          <Quoted text={about.name} most={80} />
        </span>
        <span class="row-why">
          {repos.length === 0 ? 'any other repository' : <Names names={repos} />}{' '}
          {repos.length > 1 ? 'have' : 'has'} to {to}
          {objectedBy !== undefined && (
            <>
              ; <Names names={objectedBy} /> did not agree
            </>
          )}
        </span>
        {delivery !== undefined && <Tag said={DELIVERY_WORDS[delivery]} />}
      </span>
      <span class="row-age">
        <Ago at={since} isShort />
      </span>
    </>
  )
}
