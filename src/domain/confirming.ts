import type { Decision } from './change.ts'
import type { Env, Self } from './env.ts'
import { keyIdOf } from './key-id.ts'
import { confirmClaim } from './repo.ts'
import type { Unsigned } from './statements/say.ts'
import type { ProjectView, View } from './view.ts'
import type { ClaimEntity, RepoEntity } from './views/entities.ts'

/**
 * What the daemon of a project's founder says by itself: that it saw a claim of a repo first. It does so for the daemons
 * that it is paired with; where several claim a repo before that, a person has to settle it.
 */

/** A claim that is to be looked at. */
export interface ClaimName {
  readonly project_id: string
  readonly repo_id: string
  readonly claim_id: string
}

export interface Confirming {
  /** In the order in which they came in. */
  readonly claims: readonly ClaimName[]
  /** Ids of claims that came in after them. */
  readonly later: ReadonlySet<string>
  /** Whether this daemon lets those in who only registered. */
  readonly isOpen: boolean
  readonly env: Pick<Env, 'self' | 'now' | 'newNonce'>
}

export function confirmClaims(view: View, { claims, later, isOpen, env }: Confirming): Decision<void> {
  const pending = new Set([...later, ...claims.map(({ claim_id }) => claim_id)])
  const isTrusted = trusting(view, env.self, isOpen)
  const done = new Set<string>()
  const says: Unsigned[] = []
  for (const { project_id, repo_id, claim_id } of claims) {
    pending.delete(claim_id)
    const found = view.projects.get(project_id)
    const repo = found?.repos.get(repo_id)
    const claim = repo?.claims.find((one) => one.claim_id === claim_id)
    if (found === undefined || repo === undefined || claim === undefined) continue
    if (done.has(repo_id) || !isFoundedBy(found, env.self) || !isTrusted(claim)) continue
    if (!isFirst(repo, claim, pending)) continue
    done.add(repo_id)
    const said = { about: repo_id, id: claim_id, at: claim.claimed_at }
    says.push(confirmClaim(found, found.project.founder, said, env))
  }
  return { result: undefined, says }
}

export const isFoundedBy = ({ project }: ProjectView, { signer }: Self): boolean =>
  project.founder.key === signer.keyId

/** Whether the founder said so of a claim that is still in effect. */
export const isConfirmed = ({ claims }: RepoEntity): boolean =>
  claims.some((one) => one.is_confirmed && isStanding(one))

/** Of every repo that a project founded here has, the claim that holds it unconfirmed. */
export function* unconfirmedIn(view: View, self: Self): Iterable<ClaimName> {
  for (const found of view.projects.oldestFirst()) {
    if (!isFoundedBy(found, self)) continue
    const { project_id } = found.project
    for (const { repo_id, holder } of found.repos.oldestFirst())
      if (holder?.is_confirmed === false) yield { project_id, repo_id, claim_id: holder.claim_id }
  }
}

const isStanding = ({ released_at, standing }: ClaimEntity): boolean =>
  released_at === undefined && standing !== 'settled'

/** Nobody else had claimed it before, and it was never taken from this key. */
function isFirst(repo: RepoEntity, claim: ClaimEntity, pending: ReadonlySet<string>): boolean {
  if (!isStanding(claim) || isConfirmed(repo)) return false
  return repo.claims.every((other) =>
    other.speaks_by.key === claim.speaks_by.key
      ? other.standing !== 'settled'
      : !isStanding(other) || pending.has(other.claim_id),
  )
}

function trusting(view: View, { signer }: Self, isOpen: boolean): (claim: ClaimEntity) => boolean {
  const keys = new Set([signer.keyId])
  for (const { trust, identity } of view.peers.oldestFirst())
    if (trust === 'approved' && identity !== undefined) keys.add(keyIdOf(identity))
  return ({ speaks_by, agent_id }) => {
    const peer = view.peers.get(agent_id)
    const isRegistered = isOpen && peer?.trust === 'approved' && peer.identity === undefined
    return keys.has(speaks_by.key) || isRegistered
  }
}
