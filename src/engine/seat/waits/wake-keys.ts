import type { Change } from '../../../domain/change.ts'
import { idsConcerned } from '../../../domain/context/thread.ts'
import { USUAL_KINDS } from '../../../domain/feed/feed.ts'
import { type Goal, hasReachedStatus } from '../../../domain/inbox/wait-goal.ts'
import type { View } from '../../../domain/view.ts'

/** Keys by which a change finds the waiting callers whom it may concern. */

const ANYTHING = 'anything'

/** For changes of who speaks for which repo: these can change every entity of the project. */
const speakersOf = (projectId: string): string => `speakers ${projectId}`

/** None for an inbox goal: the inbox wakes its watchers itself. */
export function keysOfGoal({ contract, question, project, gate, feed }: Goal): readonly string[] {
  if (contract !== undefined)
    return [`contract ${contract.projectId} ${contract.contractId}`, speakersOf(contract.projectId)]
  if (question !== undefined)
    return [`below ${question.projectId} ${question.packetId}`, speakersOf(question.projectId)]
  if (project !== undefined) return [`progress ${project.projectId}`, speakersOf(project.projectId)]
  if (gate !== undefined) return [`gate ${gate.projectId}`, speakersOf(gate.projectId)]
  return feed === undefined ? [] : [ANYTHING]
}

export interface WakeKey {
  readonly key: string
  /** Wakes only callers with a goal for which this is true; all if it is left out. */
  readonly wakes?: (goal: Goal) => boolean
}

export function* keysOfChange(change: Change, view: View): Iterable<WakeKey> {
  const { kind, project_id: projectId, id } = change
  if ((USUAL_KINDS as readonly string[]).includes(kind)) yield { key: ANYTHING }
  if (change.isWide) yield { key: speakersOf(projectId) }
  const found = view.projects.get(projectId)
  if (kind === 'contract') {
    yield { key: `contract ${projectId} ${id}` }
    yield { key: `gate ${projectId}` }
    // Contracts change often, but that rarely moves the project to another status.
    const wakes = ({ project }: Goal) =>
      project?.projectId === projectId && (found === undefined || hasReachedStatus(found, project.status))
    yield { key: `progress ${projectId}`, wakes }
  }
  const packet = kind === 'packet' ? found?.packets.get(id) : undefined
  if (found !== undefined && packet !== undefined)
    for (const one of idsConcerned(found, packet)) yield { key: `below ${projectId} ${one}` }
}
