import type { ContractStatus, ImplementationStatus } from '../../protocol/words.ts'
import { bodyOf } from '../statements/kind.ts'
import { newestOf, type Statement } from '../statements/statement.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import { work as workKind } from '../statements/work.ts'
import { isParty, type Standing } from './agreement.ts'

/** What parties said against this very work, the newest word of each. */
export const failuresOf = ({ id }: Statement, standing: Standing): Statement[] =>
  [...(standing.tally.failures.get(id) ?? [])].flatMap(([judge, one]) =>
    isParty(standing, judge) ? [one] : [],
  )

export const workStatus = (work: Statement, standing: Standing): ImplementationStatus =>
  failuresOf(work, standing).length > 0 ? 'needs_revision' : bodyOf(workKind, work).status

/** How far an agreed version is: implemented and verified follow from the work done, nobody sets them. */
export function statusOfAgreed(standing: Standing): ContractStatus {
  const done = standing.tally.works()
  const works = standing.parties.map((repoId) => done.get(repoId))
  const isDone = (work: Statement | undefined) =>
    work !== undefined && workStatus(work, standing) === 'complete'
  if (works.length === 0 || !works.every(isDone)) return 'agreed'
  const last = lastVerification(standing)
  if (last === undefined) return 'implemented'
  const { result, judged } = bodyOf(verificationKind, last)
  const seen = new Set(judged.map(({ work }) => work))
  return result === 'success' && works.every((work) => seen.has(work?.id ?? '')) ? 'verified' : 'implemented'
}

function lastVerification(standing: Standing): Statement | undefined {
  const byParties = [...standing.tally.verifications].filter(([repoId]) => isParty(standing, repoId))
  return newestOf(byParties.map(([, statement]) => statement))
}
