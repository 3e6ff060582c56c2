import { defined } from '../../protocol/collections/defined.ts'
import { Fault } from '../../protocol/fault.ts'
import { PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { nearTo } from '../../protocol/text/closest.ts'
import type { Env, Self } from '../env.ts'
import { listed } from '../names/listed.ts'
import { didYouMean } from '../names/only-one.ts'
import { isSignedHere } from '../repo/acting-for.ts'
import { isLost } from '../repo/lost-claim.ts'
import type { ProjectView } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'

/** Advice for a caller that has no repo in a project, or that names a repo which it cannot have. */

export interface Advice {
  readonly next: string
  /** Undefined if only somebody else can act. */
  readonly call?: NextCall
}

const MOST_REPOS_NAMED = 20

export const joinAs = (projectId: string, repoName: string): NextCall => ({
  method: 'cacp/project/join',
  params: { projectId, repoName },
})

/** How a caller without a repo gets one: its own, one that nobody holds, or one that is added for it. */
export function howToJoin(
  { project, repos }: ProjectView,
  { caller, self }: Pick<Env, 'caller' | 'self'>,
): Advice {
  const { project_id: projectId, founder } = project
  const all = [...repos.oldestFirst()]
  const isTaken = (repo: RepoEntity) => repo.holder !== undefined || lostBy(self, repo) !== undefined
  if (caller.repoName !== null && !all.some((one) => one.name === caller.repoName && isTaken(one)))
    return {
      next: all.some(({ name }) => name === caller.repoName)
        ? `Call cacp/project/join with repoName ${caller.repoName} first`
        : `Call cacp/project/join with repoName ${caller.repoName} first, which brings it along; any other repo is added with cacp/project/addRepo`,
      call: joinAs(projectId, caller.repoName),
    }
  const [free, held] = [all.filter((one) => !isTaken(one)), all.filter((one) => one.holder)].map(namesOf)
  const [first] = free ?? []
  if (first !== undefined)
    return {
      next: `Call cacp/project/join with the repoName that you work in: nobody holds ${listed(free ?? [], MOST_REPOS_NAMED)}; any other a member adds first with cacp/project/addRepo`,
      call: { ...joinAs(projectId, first), fill: ['repoName'] },
    }
  if (founder.key === self.signer.keyId && caller.kind !== 'peer')
    return {
      next: 'Add the repo that you work in with cacp/project/addRepo, then call cacp/project/join with its repoName',
      call: { method: 'cacp/project/addRepo', params: { projectId, name: PLACEHOLDER }, fill: ['name'] },
    }
  return {
    next: `Ask ${listed(held ?? [], MOST_REPOS_NAMED) || project.created_by} to add the repo that you work in with cacp/project/addRepo, then call cacp/project/join with its repoName`,
  }
}

/** This daemon's claim on a repo that a settlement or another claim took from it. */
export const lostBy = (self: Self, { claims }: RepoEntity): ClaimEntity | undefined =>
  claims.find((one) => isLost(one) && isSignedHere(one, self))

/** The fault for an unknown repo name; `retry` makes the same call with another name. */
export function noRepo(
  { project, repos }: ProjectView,
  name: string,
  { field, retry }: { field: string; retry?: (meant: string) => NextCall },
): Fault {
  const { project_id: projectId } = project
  const names = namesOf([...repos.oldestFirst()])
  const meant = nearTo(name, names)
  const again = meant === undefined ? undefined : retry?.(meant)
  const call = again ?? { method: 'cacp/project/get', params: { projectId } }
  const look =
    again === undefined ? 'cacp/project/get says more of them' : `If so, call ${again.method} with it`
  return new Fault('not_found', `${field}: project ${projectId} has no repo named ${name}`, {
    next: `${didYouMean(meant)}Its repos: ${listed(names, MOST_REPOS_NAMED) || 'none'}. ${look}; a member adds another one with cacp/project/addRepo`,
    data: { field, projectId, repoName: name, meant, call },
  })
}

/** The call that asks the other members, in whose inboxes the question appears. */
export const askIn = (projectId: string, question: string, contractIds?: readonly string[]): NextCall => ({
  method: 'cacp/context/askQuestion',
  params: { projectId, question, ...defined({ relatedContracts: contractIds }) },
  fill: ['question'],
})

const namesOf = (some: readonly RepoEntity[]): string[] => some.map(({ name }) => name)
