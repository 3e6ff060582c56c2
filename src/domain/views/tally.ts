import { bodyOf } from '../statements/kind.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { verification as verificationKind } from '../statements/verification.ts'

/** How much was said, and the newest of it. */
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

/** What the repos said about one version, each repo's newest word of a kind. Whoever counts is in it, party or not. */
export class Tally {
  readonly answers = new Map<string, { readonly newest: Statement; readonly hasAgreed: boolean }>()
  /** By introduction: a register's newest word replaces the one before, also where it does not count itself. */
  readonly #works = new Map<string, { readonly repoId: string; readonly statement: Statement }>()
  readonly verifications = new Map<string, Statement>()
  /** By the statement of the work that failed, and by the repo that says so, its newest word on that. */
  readonly failures = new Map<string, Map<string, Statement>>()
  /** By repo, how many answers and verifications it gave. */
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

  /** The same statement with or without its content. */
  replace(before: Statement, after: Statement): void {
    for (const [repoId, one] of this.answers)
      if (one.newest === before) this.answers.set(repoId, { ...one, newest: after })
    for (const judged of [this.verifications, ...this.failures.values()])
      for (const [repoId, one] of judged) if (one === before) judged.set(repoId, after)
  }

  /** A register says something now that does not count. */
  forgetWork({ under = '' }: Statement): void {
    this.#works.delete(under)
  }

  /** By repo; one that changed its key or was claimed again may have several registers. */
  works(): Map<string, Statement> {
    const newest = new Map<string, Statement>()
    for (const { repoId, statement } of this.#works.values()) keepNewest(newest, statement, repoId)
    return newest
  }

  /** What these repos said, in number, and the newest of it. */
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

  /** An agree is not undone by later words. */
  #noteAnswer(statement: Statement, repoId: string): void {
    const before = this.answers.get(repoId)
    this.answers.set(repoId, {
      newest: before === undefined || byTime(before.newest, statement) < 0 ? statement : before.newest,
      hasAgreed: before?.hasAgreed === true || statement.body['action'] === 'agree',
    })
  }

  /** A failure is about the work that it looked at and blames; what was done since is not touched. */
  #noteVerification(statement: Statement, repoId: string): void {
    keepNewest(this.verifications, statement, repoId)
    const { result, judged, blames } = bodyOf(verificationKind, statement)
    if (result !== 'failure') return
    for (const { repo_id, work } of judged) {
      if (blames.length > 0 && !blames.includes(repo_id)) continue
      const judges = this.failures.get(work) ?? new Map<string, Statement>()
      this.failures.set(work, judges)
      keepNewest(judges, statement, repoId)
    }
  }
}

function keepNewest(kept: Map<string, Statement>, statement: Statement, repoId: string): void {
  const before = kept.get(repoId)
  if (before === undefined || byTime(before, statement) < 0) kept.set(repoId, statement)
}
