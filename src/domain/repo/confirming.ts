import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import type { Decision } from '../change.ts'
import type { Env, Self } from '../env.ts'
import type { Unsigned } from '../statements/say.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'
import { confirmClaim } from './repo.ts'

/**
 * The founder's daemon confirms by itself the claim of a repo that it received first, if it is paired with the
 * claiming daemon. If several daemons claim the repo before that, one after the other or at the same time, or if one of
 * them lost a repo, a person has to settle it.
 */

/** A claim to be checked. */
export interface ClaimName {
  readonly project_id: string
  readonly repo_id: string
  readonly claim_id: string
}

interface Confirming {
  /** In the order of arrival. */
  readonly claims: readonly ClaimName[]
  /** Ids of claims that arrived after them. */
  readonly later: ReadonlySet<string>
  /** Whether this daemon accepts peers that only registered. */
  readonly isOpen: boolean
  readonly env: Pick<Env, 'self' | 'now' | 'newNonce'>
}

export function confirmClaims(view: View, { claims, later, isOpen, env }: Confirming): Decision<void> {
  const pending = new Set([...later, ...claims.map(({ claim_id }) => claim_id)])
  const claimantOf = claimantsIn(view, env.self, isOpen)
  const records = new Map<string, ClaimRecords>()
  const done = new Set<string>()
  const says: Unsigned[] = []
  for (const { project_id, repo_id, claim_id } of claims) {
    pending.delete(claim_id)
    const found = view.projects.get(project_id)
    const repo = found?.repos.get(repo_id)
    const claim = repo?.claims.find((one) => one.claim_id === claim_id)
    if (found === undefined || repo === undefined || claim === undefined) continue
    if (done.has(repo_id) || !isFoundedBy(found, env.self)) continue
    const claimant = claimantOf(claim)
    if (claimant === undefined || !isFirst(repo, claim, pending)) continue
    const ofProject = getOrAdd(records, project_id, () => new ClaimRecords(found))
    if (!ofProject.allow(claimant, claim)) continue
    ofProject.addConfirmed(claim)
    done.add(repo_id)
    const said = { about: repo_id, id: claim_id, at: claim.claimed_at }
    says.push(confirmClaim(found, found.project.founder, said, env))
  }
  return { result: undefined, says }
}

export const isFoundedBy = ({ project }: ProjectView, { signer }: Self): boolean =>
  project.founder.key === signer.keyId

/** Whether the founder confirmed a claim that is still in effect. */
export const isConfirmed = ({ claims }: RepoEntity): boolean =>
  claims.some((one) => one.is_confirmed && isStanding(one))

/** For every repo of the projects founded here, the claim that holds it unconfirmed. */
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

/**
 * Whether no other daemon claimed the repo before, and no settlement took it from this key. A claim that was released
 * and never confirmed counts as one before: beside a confirmed claim, what its daemon agreed to would count no more.
 */
function isFirst(repo: RepoEntity, claim: ClaimEntity, pending: ReadonlySet<string>): boolean {
  if (!isStanding(claim) || isConfirmed(repo)) return false
  return repo.claims.every((other) =>
    other.speaks_by.key === claim.speaks_by.key
      ? other.standing !== 'settled'
      : other.is_confirmed || other.standing === 'settled' || pending.has(other.claim_id),
  )
}

/** The names of one daemon: the ids of all keys that it had, and for a daemon without a pinned key also its agent. */
type Claimant = ReadonlySet<string>

/** The daemon that made a claim; undefined when a person has to decide whether it is confirmed. */
function claimantsIn(view: View, { signer }: Self, isOpen: boolean) {
  const byKey = new Map<string, Claimant>()
  for (const { trust, identity, former_keys = [] } of view.peers.oldestFirst())
    if (trust === 'approved' && identity !== undefined)
      byKey.set(keyIdOf(identity), new Set([keyIdOf(identity), ...former_keys]))
  byKey.set(signer.keyId, new Set())
  return ({ speaks_by, agent_id }: ClaimEntity): Claimant | undefined => {
    const paired = byKey.get(speaks_by.key)
    if (paired !== undefined || !isOpen) return paired
    const peer = view.peers.get(agent_id)
    const isRegistered = peer?.trust === 'approved' && peer.identity === undefined
    return isRegistered ? new Set([speaks_by.key, asAgent(agent_id)]) : undefined
  }
}

/** What a project knows about daemons that make claims in it. */
class ClaimRecords {
  /** Keys and agents that lost a repo by a settlement. */
  readonly #lost = new Set<string>()
  /** By every name of a daemon, the keys of its confirmed claims that hold a repo. */
  readonly #roots = new Map<string, Set<string>>()

  constructor({ repos, said }: ProjectView) {
    for (const { root_key, speaks_by, agent_id } of said.lostClaims())
      for (const name of [root_key, speaks_by.key, asAgent(agent_id)]) this.#lost.add(name)
    for (const { claims } of repos.oldestFirst())
      for (const claim of claims)
        if (claim.is_confirmed && claim.standing === 'holds') this.addConfirmed(claim)
  }

  addConfirmed(claim: ClaimEntity): void {
    for (const name of namesOf(claim)) getOrAdd(this.#roots, name, () => new Set()).add(rootKeyOf(claim))
  }

  /** A daemon that lost a repo is not confirmed for another one, and no daemon gets a second vote by a second key. */
  allow(claimant: Claimant, claim: ClaimEntity): boolean {
    for (const name of claimant) {
      if (this.#lost.has(name)) return false
      for (const root of this.#roots.get(name) ?? []) if (root !== rootKeyOf(claim)) return false
    }
    return true
  }
}

/** The key that made the claim and has its vote, even if it was rotated since. */
const rootKeyOf = ({ public_key }: ClaimEntity): string => keyIdOf(public_key)

const namesOf = (claim: ClaimEntity): string[] => [
  rootKeyOf(claim),
  claim.speaks_by.key,
  asAgent(claim.agent_id),
]

/** The prefix keeps agent names apart from key ids. */
const asAgent = (agentId: string): string => `agent ${agentId}`
