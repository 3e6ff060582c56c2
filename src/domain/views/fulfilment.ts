import type { ContractStatus, ImplementationStatus } from '../../protocol/words.ts'
import { bodyOf } from '../statements/kind.ts'
import { newestOf, type Statement } from '../statements/statement.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import { work as workKind } from '../statements/work.ts'
import { isParty, type VersionState } from './agreement.ts'

/** Failed verifications of this very work, the newest of each party. */
export const failuresOf = ({ id }: Statement, state: VersionState): Statement[] =>
  [...(state.tally.failures.get(id) ?? [])].flatMap(([judge, one]) => (isParty(state, judge) ? [one] : []))

export const workStatus = (work: Statement, state: VersionState): ImplementationStatus =>
  failuresOf(work, state).length > 0 ? 'needs_revision' : bodyOf(workKind, work).status

/** Status of an agreed version: implemented and verified are derived from the reported work, nobody sets them. */
export function statusOfAgreed(state: VersionState): ContractStatus {
  const done = state.tally.works()
  const works = state.parties.map((repoId) => done.get(repoId))
  const isDone = (work: Statement | undefined) => work !== undefined && workStatus(work, state) === 'complete'
  if (works.length === 0 || !works.every(isDone)) return 'agreed'
  const last = lastVerification(state)
  if (last === undefined) return 'implemented'
  const { result, judged } = bodyOf(verificationKind, last)
  const seen = new Set(judged.map(({ work }) => work))
  return result === 'success' && works.every((work) => seen.has(work?.id ?? '')) ? 'verified' : 'implemented'
}

function lastVerification(state: VersionState): Statement | undefined {
  const byParties = [...state.tally.verifications].filter(([repoId]) => isParty(state, repoId))
  return newestOf(byParties.map(([, statement]) => statement))
}
