import type { ContractStatus, ImplementationStatus } from '../../protocol/words.ts'
import { bodyOf } from '../statements/kind.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import { work as workKind } from '../statements/work.ts'
import type { Speakers } from './speakers.ts'

/** How far the repos are with the versions of a contract. */
export interface Fulfilment {
  /** The newest word of each repo on its part of each version, oldest first. */
  readonly newest: readonly Statement[]
  /** The same by version and repo. */
  readonly workOn: (revision: string, repoId: string) => Statement | undefined
  readonly lastVerification: (revision: string) => Statement | undefined
  /** Whether a verification found that this very work does not do. */
  readonly hasFailed: (work: Statement) => boolean
}

/** Only what counts, oldest first. */
export interface SaidOnWork {
  readonly works: readonly Statement[]
  readonly verifications: readonly Statement[]
  readonly speakers: Speakers
}

export function fulfilmentOf({ works, verifications, speakers }: SaidOnWork): Fulfilment {
  const repoOf = (one: Statement) => speakers.wordOf(one).repo_id ?? ''
  const newest = new Map(works.map((one) => [placeOf(bodyOf(workKind, one).revision, repoOf(one)), one]))
  const last = new Map(verifications.map((one) => [bodyOf(verificationKind, one).revision, one]))
  const failed = new Set(verifications.flatMap(failuresIn))
  return {
    newest: [...newest.values()].sort(byTime),
    workOn: (revision, repoId) => newest.get(placeOf(revision, repoId)),
    lastVerification: (revision) => last.get(revision),
    hasFailed: ({ id }) => failed.has(id),
  }
}

const placeOf = (revision: string, repoId: string): string => `${revision} ${repoId}`

/** A failure is about the work that it looked at and blames; what was done since is not touched. */
function failuresIn(statement: Statement): string[] {
  const { result, judged, blames } = bodyOf(verificationKind, statement)
  if (result !== 'failure') return []
  return judged.flatMap(({ repo_id, work }) =>
    blames.length === 0 || blames.includes(repo_id) ? [work] : [],
  )
}

export const workStatus = (work: Statement, { hasFailed }: Fulfilment): ImplementationStatus =>
  hasFailed(work) ? 'needs_revision' : bodyOf(workKind, work).status

/** How far an agreed version is: implemented and verified follow from the work done, nobody sets them. */
export function statusOfAgreed(
  revision: string,
  parties: readonly string[],
  fulfilment: Fulfilment,
): ContractStatus {
  const works = parties.map((repoId) => fulfilment.workOn(revision, repoId))
  const isDone = (work: Statement | undefined) =>
    work !== undefined && workStatus(work, fulfilment) === 'complete'
  if (works.length === 0 || !works.every(isDone)) return 'agreed'
  const last = fulfilment.lastVerification(revision)
  if (last === undefined) return 'implemented'
  const { result, judged } = bodyOf(verificationKind, last)
  const seen = new Set(judged.map(({ work }) => work))
  return result === 'success' && works.every((work) => seen.has(work?.id ?? '')) ? 'verified' : 'implemented'
}
