import type { Decision } from '../change.ts'
import type { Env, Self } from '../env.ts'
import type { Peer } from '../model.ts'
import type { Unsigned } from '../statements/say.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'
import { confirmClaim } from './repo.ts'

/**
 * What the daemon of a project's founder says by itself: that it saw a claim of a repo first. It does so for the daemons
 * that it is paired with; where several claim a repo before that, or where one of them lost a repo, a person has to
 * settle it.
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
  const claimants = new Claimants(view, env.self, isOpen)
  const records = new Map<string, Records>()
  const done = new Set<string>()
  const says: Unsigned[] = []
  for (const { project_id, repo_id, claim_id } of claims) {
    pending.delete(claim_id)
    const found = view.projects.get(project_id)
    const repo = found?.repos.get(repo_id)
    const claim = repo?.claims.find((one) => one.claim_id === claim_id)
    if (found === undefined || repo === undefined || claim === undefined) continue
    if (done.has(repo_id) || !isFoundedBy(found, env.self)) continue
    const claimant = claimants.of(claim)
    if (claimant === undefined || !isFirst(repo, claim, pending)) continue
    const recorded = records.get(project_id) ?? new Records(found)
    records.set(project_id, recorded)
    if (!recorded.allow(claimant, claim)) continue
    recorded.addConfirmed(claim)
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

/** Names of one daemon: the ids of all keys that it had, and of one that signs with no pinned key its agent. */
type Claimant = ReadonlySet<string>

/** Who makes claims that are confirmed without asking a person. */
class Claimants {
  readonly #view: View
  readonly #isOpen: boolean
  readonly #byKey = new Map<string, Claimant>()

  constructor(view: View, { signer }: Self, isOpen: boolean) {
    this.#view = view
    this.#isOpen = isOpen
    for (const peer of view.peers.oldestFirst())
      if (peer.trust === 'approved' && peer.identity !== undefined)
        this.#byKey.set(keyIdOf(peer.identity), new Set(keysOf(peer)))
    this.#byKey.set(signer.keyId, new Set())
  }

  /** Undefined when it is none of them. */
  of({ speaks_by, agent_id }: ClaimEntity): Claimant | undefined {
    const paired = this.#byKey.get(speaks_by.key)
    if (paired !== undefined || !this.#isOpen) return paired
    const peer = this.#view.peers.get(agent_id)
    const isRegistered = peer?.trust === 'approved' && peer.identity === undefined
    return isRegistered ? new Set([speaks_by.key, asAgent(agent_id)]) : undefined
  }
}

const keysOf = ({ identity, former_keys = [] }: Peer): string[] =>
  identity === undefined ? [] : [keyIdOf(identity), ...former_keys]

/** What is known in a project of those who make claims there. */
class Records {
  /** Keys and agents that lost a repo by a settlement. */
  readonly #lost = new Set<string>()
  /** Keys by which a confirmed claim that holds was made, by every name of who made it. */
  readonly #roots = new Map<string, Set<string>>()

  constructor({ repos, said }: ProjectView) {
    for (const { root_key, speaks_by, agent_id } of said.lostClaims())
      for (const name of [root_key, speaks_by.key, asAgent(agent_id)]) this.#lost.add(name)
    for (const { claims } of repos.oldestFirst())
      for (const claim of claims)
        if (claim.is_confirmed && claim.standing === 'holds') this.addConfirmed(claim)
  }

  addConfirmed(claim: ClaimEntity): void {
    for (const name of namesOf(claim))
      this.#roots.set(name, (this.#roots.get(name) ?? new Set()).add(rootKeyOf(claim)))
  }

  /** Nobody comes back by another repo, and nobody has a second vote by another key. */
  allow(claimant: Claimant, claim: ClaimEntity): boolean {
    for (const name of claimant) {
      if (this.#lost.has(name)) return false
      for (const root of this.#roots.get(name) ?? []) if (root !== rootKeyOf(claim)) return false
    }
    return true
  }
}

/** The key that votes, whatever has taken its place since. */
const rootKeyOf = ({ public_key }: ClaimEntity): string => keyIdOf(public_key)

const namesOf = (claim: ClaimEntity): string[] => [
  rootKeyOf(claim),
  claim.speaks_by.key,
  asAgent(claim.agent_id),
]

/** No key goes by such a name, whatever an agent calls itself. */
const asAgent = (agentId: string): string => `agent ${agentId}`
