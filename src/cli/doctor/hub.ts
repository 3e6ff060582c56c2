import type { HubReport } from '../../methods/peers/hub.ts'
import { hubLine, isKeptAway } from '../peers/hub.ts'
import { type Finding, findingsOf } from './diagnosis.ts'

const { ok, note, wrong } = findingsOf('hub')

/** Nothing where the daemon uses no hub. */
export function hubFindings(hub: HubReport | null): Finding[] {
  if (hub === null) return []
  const { troubles, projects } = hub
  const staying = projects.filter(({ travels }) => !travels).map(({ name }) => name)
  const troublesOf = troubles.map(({ message, next }, index) =>
    index === 0 && isKeptAway(hub) ? wrong(message, next) : note(message, next),
  )
  return [
    ...(troubles.length > 0 ? troublesOf : [ok(hubLine(hub))]),
    ...(staying.length === 0
      ? []
      : [note(`Seen by members alone, and so not carried by the hub: ${staying.join(', ')}`)]),
  ]
}
