import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '../../frame/icon.tsx'
import { useWindow } from '../../list/use-window.ts'
import { Link } from '../../router/link.tsx'
import type { Destination } from '../../router/route.ts'
import { figure } from '../../text/figures.ts'
import { Foreign, Quoted } from '../../text/foreign.tsx'
import { plainSentence } from '../../text/sentence.ts'
import { clockTime, dayName, fullTime } from '../../text/time.ts'
import { Told } from '../../text/told.tsx'
import type { Row } from './fold.ts'
import { type Lanes, laneOf, type NameOf } from './lanes.ts'
import type { Moment } from './moment.ts'

interface Names {
  readonly nameOf: NameOf
  /** The name of its project, where that is worth telling. */
  project(moment: Moment): string | undefined
}

interface RowsProps {
  readonly rows: readonly Row[]
  readonly lanes: Lanes
  readonly names: Names
  readonly isAll: boolean
  more(): void
}

const USUAL_HEIGHT = 40

/** The rows in view, and those around them. All rows are as high as each other. */
export function TimelineRows({ rows, lanes, names, isAll, more }: RowsProps) {
  const { rows: place, shown } = useWindow<HTMLOListElement>(rows.length, USUAL_HEIGHT)
  const isNearEnd = shown.end >= rows.length - 20
  useEffect(() => {
    if (isNearEnd && !isAll) more()
  }, [isNearEnd, isAll, rows.length])
  const count = lanes.names.length + (lanes.hasOthers ? 1 : 0)
  return (
    <div class="timeline" style={{ '--lanes': count }}>
      <div class="timeline-head" aria-hidden="true">
        <span />
        <span class="lane-names">
          {lanes.names.map((name) => (
            <span key={name}>
              <Foreign text={name} />
            </span>
          ))}
          {lanes.hasOthers && <span>others</span>}
        </span>
      </div>
      <ol ref={place} aria-label="What happened, the newest first">
        <li aria-hidden="true" class="space" style={{ height: `${shown.before}px` }} />
        {rows.slice(shown.first, shown.end).map((row) => (
          <TimelineRow key={row.key} row={row} lanes={lanes} names={names} />
        ))}
        <li aria-hidden="true" class="space" style={{ height: `${shown.after}px` }} />
      </ol>
      {isAll && <p class="quiet">This is where it began.</p>}
    </div>
  )
}

type Around = Pick<RowsProps, 'lanes' | 'names'>

function TimelineRow({ row, lanes, names }: Around & { readonly row: Row }) {
  if (row.is === 'moment') return <MomentRow moment={row.moment} lanes={lanes} names={names} />
  if (row.is === 'gap')
    return (
      <li data-row class="gap">
        <span class="gap-text">{row.text}</span>
      </li>
    )
  if (row.is === 'day')
    return (
      <li data-row class="day">
        <h2>{dayName(row.at)}</h2>
      </li>
    )
  return (
    <li data-row class="looked">
      <span>{figure(row.newer)} new since you last looked</span>
    </li>
  )
}

function MomentRow({ moment, lanes, names }: Around & { readonly moment: Moment }) {
  const { at, icon, tone, agentId, isByPerson, sentence } = moment
  const name = names.nameOf(moment)
  const lane = laneOf(name, lanes)
  const project = names.project(moment)
  return (
    <li data-row class={`moment ${tone}`}>
      <time dateTime={at} title={fullTime(at)}>
        {clockTime(at)}
      </time>
      <span class="lanes" aria-hidden="true">
        <span class="lane-dot" style={{ '--lane': lane }}>
          <Icon name={icon} />
        </span>
      </span>
      <p title={plainSentence(sentence)}>
        {name === undefined ? <Foreign text={agentId ?? 'somebody'} /> : <Quoted text={name} most={60} />}
        {isByPerson && ' (a person)'}{' '}
        <Linked to={pageOf(moment)}>
          <Told of={sentence} most={160} />
        </Linked>
        {project !== undefined && (
          <span class="quiet">
            {' '}
            in <Quoted text={project} most={40} />
          </span>
        )}
      </p>
    </li>
  )
}

function pageOf({ about, projectId }: Moment): Destination | undefined {
  if (about === null) return undefined
  return { screen: about.kind === 'contract' ? 'contract' : 'thread', ids: [projectId, about.id] }
}

function Linked({ to, children }: { to: Destination | undefined; children: ComponentChildren }) {
  return to === undefined ? (
    <span>{children}</span>
  ) : (
    <Link to={to} data-open>
      {children}
    </Link>
  )
}
