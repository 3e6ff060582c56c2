import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { claim as claimKind } from '../statements/claim.ts'
import { confirmation as confirmationKind } from '../statements/confirmation.ts'
import { bodyOf } from '../statements/kind.ts'
import { KINDS } from '../statements/kinds.ts'
import { project as projectKind } from '../statements/project.ts'
import type { SpeaksBy } from '../statements/say.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { PublicKey } from '../trust/trust.ts'
import type { LostClaim } from './entities.ts'
import { Introductions } from './introductions.ts'
import { rulingBy, rulingByVotes } from './rulings.ts'
import { type ClaimOfRepo, type Tenure, tenuresOf } from './tenures.ts'

/** The statements that decide who speaks for whom. */
export interface SpeakerStatements {
  readonly founding: Statement
  /** Project statements of the same id that lost against the founding: statements under them do not count. */
  readonly otherFoundings: readonly Statement[]
  readonly all: (kind: 'claim' | 'rotation' | 'settlement') => readonly Statement[]
  readonly about: (
    repoId: string,
    kind: 'claim' | 'release' | 'confirmation' | 'settlement',
  ) => Iterable<Statement>
}

/** Why a statement does not count, or counts with a reservation. */
export type Mark = 'unconfirmed' | 'released' | 'rotated' | 'settled' | 'outranked'

/** Which repo and agent a statement comes from, and whether it has an effect. */
interface Authorship {
  /** Null when the founder made it as the founder and not for a repo. */
  readonly repo_id: string | null
  readonly agent_id: string
  readonly counts: boolean
  /** Whether the founder made the statement or confirmed the claim under which it was made. */
  readonly isConfirmed: boolean
  readonly mark: Mark | undefined
  /** The agent whose daemon signed on behalf of the author. */
  readonly reported_by: string | undefined
}

/**
 * Who speaks for which repo. The result depends on the statements alone and not on the order of their arrival. Adding
 * a statement costs as much as there are statements about its repo, however many repos there are.
 */
export class Speakers {
  readonly #statements: SpeakerStatements
  readonly #founder: Statement
  readonly #introductions: Introductions
  /** By repo, the tenures that follow from the founder's settlements alone. */
  readonly #byFounder = new Map<string, readonly Tenure[]>()
  /** The keys that may vote, each with the number of repos that it holds by a confirmed claim. */
  readonly #voters = new Map<string, number>()
  /** Repos that somebody other than the founder settled, by the claim under which the settlement was made. */
  readonly #settledUnder = new Map<string, Set<string>>()
  readonly #tenures = new Map<string, readonly Tenure[]>()
  /** By claim id. */
  readonly #tenureOf = new Map<string, Tenure>()

  constructor(statements: SpeakerStatements) {
    this.#statements = statements
    this.#founder = statements.founding
    const claims = statements.all('claim')
    const settlements = statements.all('settlement')
    this.#introductions = new Introductions(statements, claims)
    for (const one of settlements) this.#noteSettlement(one)
    this.#settle(new Set([...claims, ...settlements].map(({ about }) => about)))
  }

  /** Adds statements, each after those that it cites. Returns whether every earlier statement counts as before. */
  addAll(news: Iterable<Statement>): boolean {
    const repoIds = new Set<string>()
    let isUnchanged = true
    for (const one of news) {
      if (one.kind === 'claim') this.#introductions.open(one)
      if (one.kind === 'settlement') this.#noteSettlement(one)
      if (one.kind !== 'rotation') repoIds.add(one.about)
      else if (this.#introductions.rotate(one)) {
        isUnchanged = false
        for (const id of this.#reposOf(this.#rootOf(one))) repoIds.add(id)
      }
    }
    return this.#settle(repoIds) && isUnchanged
  }

  /** In order of precedence. */
  tenuresOf(repoId: string): readonly Tenure[] {
    return this.#tenures.get(repoId) ?? []
  }

  /** The tenure of the agent that speaks for a repo now. */
  holderOf(repoId: string): Tenure | undefined {
    return this.tenuresOf(repoId).find(({ standing }) => standing === 'holds')
  }

  /** The claims that settlements ended, also of repos that no longer exist. */
  *lostClaims(): Iterable<LostClaim> {
    for (const repo_id of new Set(this.#statements.all('settlement').map(({ about }) => about)))
      for (const { standing, claims } of this.tenuresOf(repo_id))
        for (const { claim } of standing === 'settled' ? claims : []) {
          const { agent_id, reported_by } = bodyOf(claimKind, claim)
          yield { repo_id, root_key: claim.key, speaks_by: this.speaksBy(claim), agent_id, reported_by }
        }
  }

  authorshipOf(statement: Statement): Authorship {
    const root = this.#rootOf(statement)
    const isTimely = this.#introductions.isTimely(statement)
    if (root === this.#founder) {
      const { agent_id, reported_by } = bodyOf(projectKind, root)
      const mark = isTimely ? undefined : ('rotated' as const)
      return { repo_id: null, agent_id, counts: isTimely, isConfirmed: true, mark, reported_by }
    }
    const { agent_id, reported_by } = bodyOf(claimKind, root)
    const tenure = this.#tenureOf.get(root.id)
    const { counts, mark } =
      isTimely || tenure?.is_restored === true
        ? effectOf(tenure, statement.at)
        : { counts: false, mark: 'rotated' as const }
    const isConfirmed = tenure?.confirmation !== undefined
    return { repo_id: root.about, agent_id, counts, isConfirmed, mark, reported_by }
  }

  /** The key and introduction by which the author of a founding or claim speaks now. */
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

  #noteSettlement(one: Statement): void {
    const { id } = this.#rootOf(one)
    if (id === this.#founder.id) return
    getOrAdd(this.#settledUnder, id, () => new Set()).add(one.about)
  }

  /** The repos whose tenures may depend on statements under this root. */
  #reposOf(root: Statement): Iterable<string> {
    if (root === this.#founder) return this.#tenures.keys()
    return [root.about, ...(this.#settledUnder.get(root.id) ?? [])]
  }

  /** Computes again who speaks for these repos. Returns whether every earlier statement counts as before. */
  #settle(repoIds: Set<string>): boolean {
    let haveVotersChanged = false
    for (const id of repoIds) {
      const before = this.#byFounder.get(id) ?? []
      const tenures = tenuresOf(this.#claimsOf(id), rulingBy(this.#settlementsOf(id, 'founder')))
      this.#byFounder.set(id, tenures)
      haveVotersChanged = this.#replaceVoters(before, tenures) || haveVotersChanged
    }
    if (haveVotersChanged)
      for (const settled of this.#settledUnder.values()) for (const id of settled) repoIds.add(id)
    let isUnchanged = true
    for (const id of repoIds) isUnchanged = this.#hold(id, this.#votedOn(id)) && isUnchanged
    return isUnchanged
  }

  #hold(repoId: string, tenures: readonly Tenure[]): boolean {
    const before = this.tenuresOf(repoId).flatMap((tenure) =>
      tenure.claims.map(({ claim }) => [claim.id, tenure] as const),
    )
    this.#tenures.set(repoId, tenures)
    for (const tenure of tenures) for (const { claim } of tenure.claims) this.#tenureOf.set(claim.id, tenure)
    return before.every(([claim, tenure]) => countsAlike(tenure, this.#tenureOf.get(claim)))
  }

  /**
   * If the founder has not settled who holds a repo, more than half of the other confirmed keys can, by equal
   * settlements. Who may vote follows from the founder's statements alone, so that no vote decides on voting rights.
   */
  #votedOn(repoId: string): readonly Tenure[] {
    const byFounder = this.#byFounder.get(repoId) ?? []
    if (this.#settlementsOf(repoId, 'founder').length > 0) return byFounder
    const keyOf = (one: Statement): string => this.#rootOf(one).key
    const votes = this.#settlementsOf(repoId, 'others').filter((one) => this.#voters.has(keyOf(one)))
    const ruling = rulingByVotes(votes, { keyOf, voters: this.#voters.size })
    return ruling === undefined ? byFounder : tenuresOf(this.#claimsOf(repoId), ruling)
  }

  /** Replaces the voters of one repo. Returns whether the set of all voters changed. */
  #replaceVoters(before: readonly Tenure[], after: readonly Tenure[]): boolean {
    const [gone, come] = [this.#votersIn(before), this.#votersIn(after)]
    const present = () => [...new Set([...gone, ...come])].filter((key) => this.#voters.has(key)).join()
    const had = present()
    for (const key of come) this.#voters.set(key, (this.#voters.get(key) ?? 0) + 1)
    for (const key of gone) {
      const left = (this.#voters.get(key) ?? 0) - 1
      if (left === 0) this.#voters.delete(key)
      else this.#voters.set(key, left)
    }
    return present() !== had
  }

  #votersIn(tenures: readonly Tenure[]): string[] {
    return tenures.flatMap(({ key, standing, confirmation }) =>
      standing === 'holds' && confirmation !== undefined && key !== this.#founder.key ? [key] : [],
    )
  }

  #settlementsOf(repoId: string, by: 'founder' | 'others'): Statement[] {
    return [...this.#timely(repoId, 'settlement')].filter(
      (one) => (this.#rootOf(one) === this.#founder) === (by === 'founder'),
    )
  }

  #claimsOf(repoId: string): ClaimOfRepo[] {
    const released = new Map<string, Stamp>()
    for (const one of this.#timely(repoId, 'release')) {
      const { id } = this.#rootOf(one)
      released.set(id, earliest(one.at, released.get(id)))
    }
    const confirmed = new Map<string, Statement>()
    for (const one of this.#timely(repoId, 'confirmation')) {
      const { claim } = bodyOf(confirmationKind, one)
      const before = confirmed.get(claim)
      if (before === undefined || byTime(one, before) < 0) confirmed.set(claim, one)
    }
    return Array.from(this.#statements.about(repoId, 'claim'), (claim) => ({
      claim,
      released_at: released.get(claim.id),
      confirmation: confirmed.get(claim.id),
    }))
  }

  *#timely(repoId: string, kind: 'release' | 'confirmation' | 'settlement'): Iterable<Statement> {
    for (const one of this.#statements.about(repoId, kind)) if (this.#introductions.isTimely(one)) yield one
  }
}

const earliest = (a: Stamp, b: Stamp | undefined): Stamp => (b !== undefined && b < a ? b : a)

function effectOf(tenure: Tenure | undefined, at: Stamp): Pick<Authorship, 'counts' | 'mark'> {
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

const countsAlike = (a: Tenure, b: Tenure | undefined): boolean =>
  a.standing === b?.standing &&
  a.to === b.to &&
  a.counts_until === b.counts_until &&
  a.is_restored === b.is_restored &&
  (a.confirmation === undefined) === (b.confirmation === undefined)
