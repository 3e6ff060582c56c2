import { canonicalText } from '../../protocol/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { keyIdOf } from '../key-id.ts'
import { claim as claimKind } from '../statements/claim.ts'
import { confirmation as confirmationKind } from '../statements/confirmation.ts'
import { bodyOf } from '../statements/kind.ts'
import { KINDS } from '../statements/kinds.ts'
import { project as projectKind } from '../statements/project.ts'
import type { SpeaksBy } from '../statements/say.ts'
import { settlement as settlementKind } from '../statements/settlement.ts'
import { byTime, newestOf, type Statement } from '../statements/statement.ts'
import type { PublicKey } from '../trust.ts'
import { groupBy } from './group-by.ts'
import { Introductions } from './introductions.ts'
import { type ClaimOfRepo, type Ruling, type Tenure, tenuresOf } from './tenures.ts'

/** Everything that was said in a project about who speaks for whom. */
export interface WordsOnSpeakers {
  readonly founding: Statement
  /** Those that gave the same id to another project: what is said under them does not count. */
  readonly otherFoundings: readonly Statement[]
  readonly claims: readonly Statement[]
  readonly releases: readonly Statement[]
  readonly rotations: readonly Statement[]
  readonly confirmations: readonly Statement[]
  readonly settlements: readonly Statement[]
}

/** Why a statement does not count, or counts with a reservation. */
export type Mark = 'unconfirmed' | 'released' | 'rotated' | 'settled' | 'outranked'

/** Whose word a statement is, and whether it has an effect. */
export interface Word {
  /** Null: the founder's, as the founder. */
  readonly repo_id: string | null
  readonly agent_id: string
  readonly counts: boolean
  /** Whether the founder confirmed the claim that it was said under, or said it itself. */
  readonly isConfirmed: boolean
  readonly mark: Mark | undefined
  /** The agent whose daemon signed what it heard. */
  readonly reported_by: string | undefined
}

/** Who speaks for which repo. It follows from all that was said of it, in whatever order that came in. */
export class Speakers {
  readonly #introductions: Introductions
  readonly #founder: Statement
  readonly #tenures = new Map<string, readonly Tenure[]>()
  /** By claim. */
  readonly #tenureOf = new Map<string, Tenure>()

  constructor(words: WordsOnSpeakers) {
    const { founding, otherFoundings, claims, releases, rotations, confirmations, settlements } = words
    this.#founder = founding
    this.#introductions = new Introductions([founding, ...claims], rotations)
    for (const other of otherFoundings) this.#introductions.enterVoid(other, founding)
    const released = this.#releases(releases)
    const confirmed = this.#confirmations(confirmations)
    const byRepo = groupBy(
      claims.map((claim) => ({
        claim,
        released_at: released.get(claim.id),
        confirmation: confirmed.get(claim.id),
      })),
      ({ claim }) => claim.about,
    )
    const timely = settlements.filter((one) => this.#introductions.isTimely(one))
    const founders = groupBy(
      timely.filter((one) => this.#rootOf(one) === founding),
      (one) => one.about,
    )
    for (const [repoId, ofRepo] of byRepo) this.#settle(repoId, ofRepo, rulingBy(founders.get(repoId)))
    this.#takeVotes(byRepo, timely, founders)
  }

  /** Those that count before others first. */
  tenuresOf(repoId: string): readonly Tenure[] {
    return this.#tenures.get(repoId) ?? []
  }

  /** The claim by which somebody speaks for a repo now. */
  holderOf(repoId: string): Tenure | undefined {
    return this.tenuresOf(repoId).find(({ standing }) => standing === 'holds')
  }

  wordOf(statement: Statement): Word {
    const root = this.#rootOf(statement)
    const isTimely = this.#introductions.isTimely(statement)
    if (root === this.#founder) {
      const { agent_id, reported_by } = bodyOf(projectKind, root)
      const mark = isTimely ? undefined : ('rotated' as const)
      return { repo_id: null, agent_id, counts: isTimely, isConfirmed: true, mark, reported_by }
    }
    const { agent_id, reported_by } = bodyOf(claimKind, root)
    const tenure = this.#tenureOf.get(root.id)
    const { counts, mark } = isTimely
      ? standingOf(tenure, statement.at)
      : { counts: false, mark: 'rotated' as const }
    const isConfirmed = tenure?.confirmation !== undefined
    return { repo_id: root.about, agent_id, counts, isConfirmed, mark, reported_by }
  }

  /** Whether whatever was said so far counts later as it does now: others may have come, and nobody's word is another one. */
  isGoneOnWith(later: Speakers): boolean {
    if (this.#founder !== later.#founder || !this.#introductions.isGoneOnWith(later.#introductions))
      return false
    for (const [claim, tenure] of this.#tenureOf) {
      const then = later.#tenureOf.get(claim)
      if (then === undefined || !countsAlike(tenure, then)) return false
    }
    return true
  }

  /** By what whoever made a founding or claim speaks now. */
  speaksBy(root: Statement): SpeaksBy {
    const last = this.#introductions.lastOf(root)
    const key = keyIdOf(KINDS.get(last.kind)?.introduces?.(last.body) as PublicKey)
    return { project_id: root.project_id, introduction: last.id, since: last.at, key }
  }

  #rootOf(statement: Statement): Statement {
    const root = this.#introductions.rootOf(statement)
    if (root === undefined) throw new TypeError('an admitted statement goes back to a claim or a founding')
    return root
  }

  #releases(releases: readonly Statement[]): Map<string, Stamp> {
    const found = new Map<string, Stamp>()
    for (const one of releases) {
      const { id } = this.#rootOf(one)
      const earlier = found.get(id)
      if (this.#introductions.isTimely(one) && (earlier === undefined || one.at < earlier))
        found.set(id, one.at)
    }
    return found
  }

  #confirmations(confirmations: readonly Statement[]): Map<string, Statement> {
    const found = new Map<string, Statement>()
    for (const one of confirmations) {
      const { claim } = bodyOf(confirmationKind, one)
      const earlier = found.get(claim)
      if (this.#introductions.isTimely(one) && (earlier === undefined || byTime(one, earlier) < 0))
        found.set(claim, one)
    }
    return found
  }

  #settle(repoId: string, claims: readonly ClaimOfRepo[], ruling: Ruling | undefined): void {
    const tenures = tenuresOf(claims, ruling)
    this.#tenures.set(repoId, tenures)
    for (const tenure of tenures) for (const { claim } of tenure.claims) this.#tenureOf.set(claim.id, tenure)
  }

  /**
   * Where the founder has not settled who holds a repo, equal words of more than half of the other confirmed keys do,
   * though never those of a single one: it could take the founder's own repo where there are only two. Who may vote follows from the founder's words alone, so that no vote decides on votes.
   */
  #takeVotes(
    byRepo: ReadonlyMap<string, readonly ClaimOfRepo[]>,
    settlements: readonly Statement[],
    founders: ReadonlyMap<string, readonly Statement[]>,
  ): void {
    const voters = this.#voters()
    const keyOf = (one: Statement): string => this.#rootOf(one).key
    const votes = settlements.filter(
      (one) => !founders.has(one.about) && this.#rootOf(one) !== this.#founder && voters.has(keyOf(one)),
    )
    for (const [repoId, ofRepo] of groupBy(votes, (one) => one.about)) {
      const newest = [...groupBy(ofRepo, keyOf).values()].flatMap((ofKey) => newestOf(ofKey) ?? [])
      const agreeing = [...groupBy(newest, sayingOf).values()].find(
        (same) => same.length > 1 && 2 * same.length > voters.size,
      )
      if (agreeing !== undefined) this.#settle(repoId, byRepo.get(repoId) ?? [], rulingBy(agreeing))
    }
  }

  #voters(): Set<string> {
    const voters = new Set<string>()
    for (const tenures of this.#tenures.values())
      for (const { key, standing, confirmation } of tenures)
        if (standing === 'holds' && confirmation !== undefined && key !== this.#founder.key) voters.add(key)
    return voters
  }
}

function standingOf(tenure: Tenure | undefined, at: Stamp): Pick<Word, 'counts' | 'mark'> {
  switch (tenure?.standing) {
    case 'holds':
      return { counts: true, mark: tenure.confirmation === undefined ? 'unconfirmed' : undefined }
    case 'left':
      return { counts: tenure.to !== undefined && at <= tenure.to, mark: 'released' }
    case 'settled':
      return { counts: tenure.counts_until !== null && at <= tenure.counts_until, mark: 'settled' }
    case 'outranked':
    case undefined:
      return { counts: false, mark: 'outranked' }
  }
}

const countsAlike = (a: Tenure, b: Tenure): boolean =>
  a.standing === b.standing &&
  a.to === b.to &&
  a.counts_until === b.counts_until &&
  (a.confirmation === undefined) === (b.confirmation === undefined)

function rulingBy(settlements: readonly Statement[] | undefined): Ruling | undefined {
  const newest = newestOf(settlements ?? [])
  if (newest === undefined) return undefined
  const { holder, ended } = bodyOf(settlementKind, newest)
  return {
    at: newest.at,
    holder,
    ended: new Map(ended.map(({ claim, until }) => [claim, until])),
    lost: claimsThatLost(settlements ?? []),
  }
}

function claimsThatLost(settlements: readonly Statement[]): Set<string> {
  const lost = new Set<string>()
  for (const one of [...settlements].sort(byTime)) {
    const { holder, ended } = bodyOf(settlementKind, one)
    for (const { claim } of ended) lost.add(claim)
    if (holder !== null) lost.delete(holder)
  }
  return lost
}

/** What two settlements have in common when they say the same. */
function sayingOf(settlement: Statement): string {
  const { holder, ended } = bodyOf(settlementKind, settlement)
  return canonicalText([holder, ended])
}
