import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { bodyOf } from '../statements/kind.ts'
import { sighting as sightingKind } from '../statements/sighting.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import type { Speakers } from './speakers.ts'

export interface Sum {
  readonly count: number
  readonly newest: Statement | undefined
}

export const plus = (a: Sum, b: Sum): Sum => ({
  count: a.count + b.count,
  newest: newerOf(a.newest, b.newest),
})

const newerOf = (a: Statement | undefined, b: Statement | undefined): Statement | undefined =>
  a === undefined || (b !== undefined && byTime(a, b) < 0) ? b : a

/** What the repos said about one version, also those that are no party: the newest statement of each kind and repo. */
export class Tally {
  readonly answers = new Map<string, { readonly newest: Statement; readonly hasAgreed: boolean }>()
  /** By introduction: the newest statement of a register replaces the earlier one, even if it does not count itself. */
  readonly #works = new Map<string, { readonly repoId: string; readonly statement: Statement }>()
  readonly verifications = new Map<string, Statement>()
  /** By the id of the failed work, then by the verifying repo, its newest verification of it. */
  readonly failures = new Map<string, Map<string, Statement>>()
  /** By repo, the number of its answers and verifications. */
  readonly #counts = new Map<string, number>()

  note(statement: Statement, repoId: string): void {
    if (statement.kind !== 'work') this.#counts.set(repoId, 1 + (this.#counts.get(repoId) ?? 0))
    switch (statement.kind) {
      case 'answer':
        this.#noteAnswer(statement, repoId)
        break
      case 'work':
        this.#works.set(statement.under ?? '', { repoId, statement })
        break
      case 'verification':
        this.#noteVerification(statement, repoId)
        break
    }
  }

  /** Swaps a statement for the same statement with or without its content. */
  replace(before: Statement, after: Statement): void {
    for (const [repoId, one] of this.answers)
      if (one.newest === before) this.answers.set(repoId, { ...one, newest: after })
    for (const judged of [this.verifications, ...this.failures.values()])
      for (const [repoId, one] of judged) if (one === before) judged.set(repoId, after)
  }

  /** The newest statement of this register does not count, so the earlier one must not count either. */
  forgetWork({ under = '' }: Statement): void {
    this.#works.delete(under)
  }

  /** The newest work of each repo; a repo that changed its key or was claimed again may have several registers. */
  works(): Map<string, Statement> {
    const newest = new Map<string, Statement>()
    for (const { repoId, statement } of this.#works.values()) keepNewest(newest, statement, repoId)
    return newest
  }

  hasCompleted(repoId: string): boolean {
    return this.works().get(repoId)?.body['status'] === 'complete'
  }

  /** Number of the statements by these repos, and the newest of them. */
  sumOf(isAsked: (repoId: string) => boolean): Sum {
    let sum: Sum = { count: 0, newest: undefined }
    for (const { repoId, statement } of this.#works.values())
      if (isAsked(repoId)) sum = plus(sum, { count: 1, newest: statement })
    for (const [repoId, count] of this.#counts) {
      if (!isAsked(repoId)) continue
      const newest = newerOf(this.answers.get(repoId)?.newest, this.verifications.get(repoId))
      sum = plus(sum, { count, newest })
    }
    return sum
  }

  /** A later answer does not undo an agree. */
  #noteAnswer(statement: Statement, repoId: string): void {
    const before = this.answers.get(repoId)
    this.answers.set(repoId, {
      newest: before === undefined || byTime(before.newest, statement) < 0 ? statement : before.newest,
      hasAgreed: before?.hasAgreed === true || statement.body['action'] === 'agree',
    })
  }

  /** A failure concerns the work that was verified and is blamed, not the work reported since. */
  #noteVerification(statement: Statement, repoId: string): void {
    keepNewest(this.verifications, statement, repoId)
    const { result, judged, blames } = bodyOf(verificationKind, statement)
    if (result !== 'failure') return
    for (const { repo_id, work } of judged) {
      if (blames.length > 0 && !blames.includes(repo_id)) continue
      const judges = getOrAdd(this.failures, work, () => new Map())
      keepNewest(judges, statement, repoId)
    }
  }
}

function keepNewest(kept: Map<string, Statement>, statement: Statement, repoId: string): void {
  const before = kept.get(repoId)
  if (before === undefined || byTime(before, statement) < 0) kept.set(repoId, statement)
}

/** The newest statement of each repo that counts, in the order of the repos' ids. */
export function newestOfRepos(said: Iterable<Statement>, speakers: Speakers): [string, Statement][] {
  const newest = new Map<string, Statement>()
  for (const one of said) {
    const { repo_id, counts } = speakers.authorshipOf(one)
    if (counts && repo_id !== null) keepNewest(newest, one, repo_id)
  }
  return [...newest].sort(([a], [b]) => compareText(a, b))
}

/** The newest receipt of each repo that counts, in the order of the repos' ids. */
export const foldSightings = (said: Iterable<Statement>, speakers: Speakers) =>
  newestOfRepos(said, speakers).map(([repo_id, one]) => {
    const { of, parts } = bodyOf(sightingKind, one)
    return { repo_id, of, parts, at: one.at }
  })
