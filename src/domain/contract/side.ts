import type { Sender } from '../interface/model.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, ExpectationEntity, RepoEntity, RevisionEntity } from '../views/entities.ts'

const ROLES: Readonly<Record<'provider' | 'consumer', RegExp>> = {
  provider: /\b(?:backend|api|server|service)\b/i,
  consumer: /\b(?:frontend|web|app|mobile|client)\b/i,
}

const expectationOf = (repoId: string, { expectations }: ContractEntity): ExpectationEntity | undefined =>
  expectations.find(({ repo_id }) => repo_id === repoId)

/** On which side of this contract it stands: as it said, else by its role. */
export const sideIn = (repo: RepoEntity, contract: ContractEntity): Sender =>
  expectationOf(repo.repo_id, contract)?.side ?? sideOf(repo)

/** On which side of its contracts a repo stands, by its role; both where that does not say it. */
export function sideOf({ role }: Pick<RepoEntity, 'role'>): Sender {
  const isProvider = ROLES.provider.test(role)
  if (isProvider === ROLES.consumer.test(role)) return 'both'
  return isProvider ? 'provider' : 'consumer'
}

/** A repo that consumes a contract, with what it said that it uses. */
export type Consumer = ReturnType<typeof consumersOf>[number]

/** The parties of a version, and whoever said what it uses, but those that only provide it. */
export function consumersOf({ repos }: ProjectView, contract: ContractEntity, { needed }: RevisionEntity) {
  const ids = new Set([...needed, ...contract.expectations.map(({ repo_id }) => repo_id)])
  return [...ids]
    .flatMap((id) => repos.get(id) ?? [])
    .map((repo) => ({
      repo,
      side: sideIn(repo, contract),
      expectation: expectationOf(repo.repo_id, contract),
    }))
    .filter(({ side }) => side !== 'provider')
}
