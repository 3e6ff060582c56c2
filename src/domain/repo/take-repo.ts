import type { Env } from '../env.ts'
import { repoNamed } from '../lookup.ts'
import { type Speaking, speaksByOf, type Unsigned } from '../statements/say.ts'
import type { ProjectView, View } from '../view.ts'
import { describeRepo } from './about.ts'
import { type ClaimRequest, claimRepo, confirmClaim, describeOwn } from './repo.ts'

/**
 * Claims a repo for an agent with the key of this daemon. If this daemon founded the project, it confirms the claim
 * at once; a repo that nobody named yet is described as well.
 */
export function takeRepo(
  view: View,
  found: ProjectView,
  request: Omit<ClaimRequest, 'projectId'>,
  env: Pick<Env, 'self'> & Speaking,
): Unsigned[] {
  const { project_id: projectId, founder } = found.project
  const repo = repoNamed(found, request.repoName)
  const claim = claimRepo(found, { projectId, ...request }, env)
  const says = [claim]
  if (founder.key === env.self.signer.keyId && repo?.holder === undefined)
    says.push(confirmClaim(found, founder, claim, env))
  if (repo === undefined) {
    const about = describeRepo({ name: request.repoName, relevantPaths: [] }, view, env.self)
    const by = speaksByOf(claim)
    says.push(describeOwn(found, { ...claim, by }, { ...about, endpoint: request.endpoint }, env))
  }
  return says
}
