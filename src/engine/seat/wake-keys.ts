import type { Change } from '../../domain/change.ts'
import type { Goal } from '../../domain/condition.ts'
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

export function* keysOfChange(change: Change, view: View): Iterable<string> {
  const { kind, project_id: projectId, id } = change
  if ((USUAL_KINDS as readonly string[]).includes(kind)) yield ANYTHING
  if (kind === 'contract') {
    yield `contract ${projectId} ${id}`
    yield `progress ${projectId}`
  }
  const found = kind === 'packet' ? view.projects.get(projectId) : undefined
  if (kind === 'packet' && found !== undefined)
    for (const one of idsConcerned(found, change.value)) yield `below ${projectId} ${one}`
}
