import type { ContractStatus } from '../protocol/words.ts'
import { headOf, statusOf } from './contract.ts'
import { implementationOf, implementationStatus } from './implementation.ts'
import type { Contract, Packet } from './model.ts'
import { activeClaim } from './repo.ts'
import type { ProjectView } from './view.ts'

/** What has to happen next for a contract to go on, and by whom. */
export interface Waiting {
  readonly contract: Contract
  readonly status: ContractStatus
  /** Names of repos; empty: any of them. */
  readonly on: readonly string[]
  readonly to: 'answer it' | 'propose a new version' | 'implement it' | 'verify it'
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
export function waitingFor(contract: Contract, project: ProjectView): Waiting | undefined {
  const status = statusOf(contract)
  const head = headOf(contract)
  const named = (repoIds: readonly string[]) => repoIds.map((id) => repoName(project, id))
  switch (status) {
    case 'proposed': {
      const others = contract.parties.filter((id) => id !== head.proposed_by)
      return { contract, status, on: named(others), to: 'answer it' }
    }
    case 'negotiating':
      return { contract, status, on: named([head.proposed_by]), to: 'propose a new version' }
    case 'agreed': {
      const open = contract.parties.filter((id) => {
        const work = implementationOf(contract, id, head.id)
        return work === undefined || implementationStatus(contract, work) !== 'complete'
      })
      return { contract, status, on: named(open), to: 'implement it' }
    }
    case 'implemented':
      return { contract, status, on: [], to: 'verify it' }
    case 'verified':
      return undefined
  }
}

/** Questions that nobody answered, oldest first. */
export function openQuestions(found: ProjectView): Packet[] {
  const open: Packet[] = []
  for (const packet of found.packets.oldestFirst()) {
    if (packet.type !== 'question' || packet.redacted !== null || packet.reply_to !== null) continue
    const [reply] = found.repliesTo(packet.packet_id)
    if (reply === undefined) open.push(packet)
  }
  return open
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
