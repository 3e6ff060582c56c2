import type { Change } from '../../domain/change.ts'
import { type Goal, hasCome } from '../../domain/condition.ts'
import { USUAL_KINDS } from '../../domain/feed.ts'
import { idsConcerned } from '../../domain/thread.ts'
import type { View } from '../../domain/view.ts'

/** What somebody who waits looks at, so that a change wakes only those whom it may concern. */

const ANYTHING = 'anything'

/** Undefined where somebody else tells. */
export function keyOfGoal({ contract, question, project, feed }: Goal): string | undefined {
  if (contract !== undefined) return `contract ${contract.projectId} ${contract.contractId}`
  if (question !== undefined) return `below ${question.projectId} ${question.packetId}`
  if (project !== undefined) return `progress ${project.projectId}`
  return feed === undefined ? undefined : ANYTHING
}

export interface WakeKey {
  readonly key: string
  /** Those with a goal of which this is true; left out, all. */
  readonly wakes?: (goal: Goal) => boolean
}

export function* keysOfChange(change: Change, view: View): Iterable<WakeKey> {
  const { kind, project_id: projectId, id } = change
  if ((USUAL_KINDS as readonly string[]).includes(kind)) yield { key: ANYTHING }
  const found = view.projects.get(projectId)
  if (kind === 'contract') {
    yield { key: `contract ${projectId} ${id}` }
    // Its contracts change often, and it comes further seldom.
    const wakes = ({ project }: Goal) =>
      project?.projectId === projectId && (found === undefined || hasCome(found, project.status))
    yield { key: `progress ${projectId}`, wakes }
  }
  if (kind === 'packet' && found !== undefined)
    for (const one of idsConcerned(found, change.value)) yield { key: `below ${projectId} ${one}` }
}
