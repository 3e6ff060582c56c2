import type { Sender } from '../interface/model.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, RepoEntity, RevisionEntity } from '../views/entities.ts'

const ROLES: Readonly<Record<'provider' | 'consumer', RegExp>> = {
  provider: /\b(?:backend|api|server|service)\b/i,
  consumer: /\b(?:frontend|web|app|mobile|client)\b/i,
}

/** On which side of this contract it stands: as it said, else by its role. */
export const sideIn = (repo: RepoEntity, { expectations }: ContractEntity): Sender =>
  expectations.find(({ repo_id }) => repo_id === repo.repo_id)?.side ?? sideOf(repo)

/** On which side of its contracts a repo stands, by its role; both where that does not say it. */
export function sideOf({ role }: Pick<RepoEntity, 'role'>): Sender {
  const isProvider = ROLES.provider.test(role)
  if (isProvider === ROLES.consumer.test(role)) return 'both'
  return isProvider ? 'provider' : 'consumer'
}

/** A repo that consumes a contract, with what it said that it uses. */
export type Consumer = ReturnType<typeof consumersOf>[number]

/** The parties of a version, and whoever said what it uses, but those that only provide it. */
export function consumersOf(
  { repos }: ProjectView,
  { expectations }: ContractEntity,
  { needed }: RevisionEntity,
) {
  const said = new Map(expectations.map((one) => [one.repo_id, one]))
  return [...new Set([...needed, ...said.keys()])]
    .flatMap((id) => repos.get(id) ?? [])
    .map((repo) => {
      const expectation = said.get(repo.repo_id)
      return { repo, expectation, side: expectation?.side ?? sideOf(repo) }
    })
    .filter(({ side }) => side !== 'provider')
}
