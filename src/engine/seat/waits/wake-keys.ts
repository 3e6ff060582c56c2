import type { Change } from '../../../domain/change.ts'
import { idsConcerned } from '../../../domain/context/thread.ts'
import { USUAL_KINDS } from '../../../domain/feed/feed.ts'
import { type Goal, hasCome } from '../../../domain/inbox/wait-goal.ts'
import type { View } from '../../../domain/view.ts'

/** What somebody who waits looks at, so that a change wakes only those whom it may concern. */

const ANYTHING = 'anything'

/** Who speaks for whom in a project: with that, everything in it may be another one. */
const speakersOf = (projectId: string): string => `speakers ${projectId}`

/** None where somebody else tells. */
export function keysOfGoal({ contract, question, project, feed }: Goal): readonly string[] {
  if (contract !== undefined)
    return [`contract ${contract.projectId} ${contract.contractId}`, speakersOf(contract.projectId)]
  if (question !== undefined)
    return [`below ${question.projectId} ${question.packetId}`, speakersOf(question.projectId)]
  if (project !== undefined) return [`progress ${project.projectId}`, speakersOf(project.projectId)]
  return feed === undefined ? [] : [ANYTHING]
}

export interface WakeKey {
  readonly key: string
  /** Those with a goal of which this is true; left out, all. */
  readonly wakes?: (goal: Goal) => boolean
}

export function* keysOfChange(change: Change, view: View): Iterable<WakeKey> {
  const { kind, project_id: projectId, id } = change
  if ((USUAL_KINDS as readonly string[]).includes(kind)) yield { key: ANYTHING }
  if (change.isWide) yield { key: speakersOf(projectId) }
  const found = view.projects.get(projectId)
  if (kind === 'contract') {
    yield { key: `contract ${projectId} ${id}` }
    // Its contracts change often, and it comes further seldom.
    const wakes = ({ project }: Goal) =>
      project?.projectId === projectId && (found === undefined || hasCome(found, project.status))
    yield { key: `progress ${projectId}`, wakes }
  }
  const packet = kind === 'packet' ? found?.packets.get(id) : undefined
  if (found !== undefined && packet !== undefined)
    for (const one of idsConcerned(found, packet)) yield { key: `below ${projectId} ${one}` }
}
