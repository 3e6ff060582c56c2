import { filtered } from '../../protocol/collections/iterables.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import type { ContractStatus } from '../../protocol/words.ts'
import { isOpen, questionAbove, talkAbout } from '../context/question.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity } from '../views/entities.ts'
import { groupBy } from '../views/group-by.ts'
import { mayAnswer } from './contract.ts'

/** The next step of a contract, and the repos that have to take it. */
export interface Step {
  readonly status: ContractStatus
  /** Ids of repos; empty: any of them. */
  readonly on: readonly string[]
  readonly to: 'answer it' | 'propose a new version' | 'implement it' | 'verify it' | 'decide the same'
}

/** A step with repo names instead of ids. */
export type Waiting = NonNullable<ReturnType<typeof waitingFor>>

export const contractsByStatus = ({ contracts }: ProjectView): Map<ContractStatus, ContractEntity[]> =>
  groupBy(
    filtered(contracts.oldestFirst(), (one) => !isOver(one)),
    ({ status }) => status,
  )

/** Withdrawn or retired: nobody has to do anything about it until it is proposed anew. */
export const isOver = ({ is_withdrawn, is_retired, head }: ContractEntity): boolean =>
  is_withdrawn || (is_retired && head.is_agreed)

/** Undefined when nothing is left to do. */
export function nextStep(contract: ContractEntity): Step | undefined {
  if (isOver(contract)) return undefined
  const { status, head, unanswered } = contract
  switch (status) {
    case 'proposed':
      // An author without other parties has to answer itself.
      return { status, on: mayAnswer(contract, head.repo_id) ? [head.repo_id] : unanswered, to: 'answer it' }
    case 'negotiating':
      return { status, on: [head.repo_id], to: 'propose a new version' }
    case 'agreed':
    case 'implemented':
    case 'verified':
      return workStep(contract)
  }
}

/** The next step for implementing the revision in force, whatever has been proposed since. */
export function workStep(contract: ContractEntity): Step | undefined {
  const { revision, status } = contract.in_force ?? { revision: contract.head, status: contract.status }
  if (status === 'implemented') return { status, on: [], to: 'verify it' }
  if (status !== 'agreed') return undefined
  const open = revision.parties.filter((id) => !hasCompleted(contract, id))
  return { status, on: open, to: 'implement it' }
}

/** Whether a repo has completed its work on the revision in force. */
export const hasCompleted = ({ works }: ContractEntity, repoId: string): boolean =>
  works.some(({ repo_id, status }) => repo_id === repoId && status === 'complete')

export function waitingFor(contract: ContractEntity, project: ProjectView) {
  const step = nextStep(contract)
  return step && { ...step, contract, on: step.on.map((id) => repoName(project, id)) }
}

/** Questions that are not decided yet, oldest first. */
export function openQuestions(found: ProjectView): PacketEntity[] {
  return [...found.packets.oldestFirst()].filter((packet) => isOpenQuestion(packet, found))
}

export const isOpenQuestion = (packet: PacketEntity, found: ProjectView): boolean =>
  packet.type === 'question' &&
  questionAbove(packet, (id) => found.packets.get(id)) === packet &&
  isOpen(packet, talkAbout(packet, found))

/** Repos that no agent speaks for yet. */
export function unclaimedRepos({ repos }: ProjectView): string[] {
  return [...repos.oldestFirst()].flatMap(({ holder, name }) => (holder === undefined ? [name] : []))
}

/** Sorted names. */
export const repoNames = (found: ProjectView, repoIds: readonly string[]): string[] =>
  repoIds.map((id) => repoName(found, id)).sort(compareText)

export function repoName({ repos }: ProjectView, repoId: string): string {
  return repos.get(repoId)?.name ?? repoId
}
