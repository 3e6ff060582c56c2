import type { ContractStatus, ImplementationStatus } from '../protocol/words.ts'
import { headOf, statusOf } from './contract.ts'
import { implementationOf, implementationStatus } from './implementation.ts'
import type { Contract, Packet } from './model.ts'
import { isOpen, questionAbove, talkAbout } from './question.ts'
import { activeClaim } from './repo.ts'
import type { ProjectView } from './view.ts'

/** What has to happen next for a contract to go on, and by whom. */
export interface Step {
  readonly status: ContractStatus
  /** Ids of repos; empty: any of them. */
  readonly on: readonly string[]
  readonly to: 'answer it' | 'propose a new version' | 'implement it' | 'verify it'
}

/** The same with names. */
export interface Waiting extends Step {
  readonly contract: Contract
}

export function contractsByStatus({ contracts }: ProjectView): Map<ContractStatus, Contract[]> {
  const found = new Map<ContractStatus, Contract[]>()
  for (const contract of contracts.oldestFirst()) {
    const status = statusOf(contract)
    found.set(status, [...(found.get(status) ?? []), contract])
  }
  return found
}

/** Undefined when nothing is left to do. */
export function nextStep(contract: Contract): Step | undefined {
  const status = statusOf(contract)
  const head = headOf(contract)
  switch (status) {
    case 'proposed':
      return { status, on: contract.parties.filter((id) => id !== head.proposed_by), to: 'answer it' }
    case 'negotiating':
      return { status, on: [head.proposed_by], to: 'propose a new version' }
    case 'agreed': {
      const open = contract.parties.filter((id) => workStatus(contract, id) !== 'complete')
      return { status, on: open, to: 'implement it' }
    }
    case 'implemented':
      return { status, on: [], to: 'verify it' }
    case 'verified':
      return undefined
  }
}

/** How far a repo is with what the contract says now; undefined when it did not begin. */
export function workStatus(contract: Contract, repoId: string): ImplementationStatus | undefined {
  const work = implementationOf(contract, repoId, headOf(contract).id)
  return work && implementationStatus(contract, work)
}

export function waitingFor(contract: Contract, project: ProjectView): Waiting | undefined {
  const step = nextStep(contract)
  return step && { ...step, contract, on: step.on.map((id) => repoName(project, id)) }
}

/** Questions that nothing was decided on yet, oldest first. */
export function openQuestions(found: ProjectView): Packet[] {
  return [...found.packets.oldestFirst()].filter(
    (packet) =>
      packet.type === 'question' &&
      questionAbove(packet, (id) => found.packets.get(id)) === packet &&
      isOpen(packet, talkAbout(packet, found)),
  )
}

/** Repos that no agent speaks for yet. */
export function unclaimedRepos({ repos, project }: ProjectView): string[] {
  return [...repos.oldestFirst()].flatMap((repo) =>
    activeClaim(repo, project) === undefined ? [repo.name] : [],
  )
}

export function repoName({ repos }: ProjectView, repoId: string): string {
  return repos.get(repoId)?.name ?? repoId
}
