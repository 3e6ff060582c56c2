import type { Env } from '../env.ts'
import { contractOf, memberOf, openProjectOf } from '../lookup.ts'
import { type Speak, speakIn } from '../speaking/speaking.ts'
import type { ProjectView, View } from '../view.ts'
import type { ContractEntity, RepoEntity, RevisionEntity } from '../views/entities.ts'

/** A member of a project that acts on one of its contracts. */
export interface Seat {
  readonly found: ProjectView
  readonly contract: ContractEntity
  readonly repo: RepoEntity
  /** Makes statements for that repo. */
  readonly speak: Speak
}

export interface ContractName {
  readonly projectId: string
  readonly contractId: string
}

export function seatAt(view: View, { projectId, contractId }: ContractName, env: Env): Seat {
  const found = openProjectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  const { repo, speaksBy } = memberOf(found, env)
  return { found, contract, repo, speak: speakIn(found, speaksBy, env) }
}

/** The contract after the new statements. */
export function contractIn(view: View, { projectId, contractId }: ContractName): ContractEntity {
  const contract = view.projects.get(projectId)?.contracts.get(contractId)
  if (contract === undefined) throw new TypeError('what was just spoken about is here')
  return contract
}

/** Whether a repo may answer and change this version: it wrote it, or has to agree to it. */
export const isPartyOf = ({ repo_id, needed }: RevisionEntity, repoId: string): boolean =>
  repo_id === repoId || needed.includes(repoId)

/** Whether a repo's answer to the head counts: the author agrees by writing it, unless no other repo is needed. */
export function mayAnswer({ head }: ContractEntity, repoId: string): boolean {
  if (head.repo_id !== repoId) return head.needed.includes(repoId)
  return head.needed.every((one) => one === repoId)
}
