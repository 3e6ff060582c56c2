import { compareText } from '../../protocol/json/canonical.ts'
import type { ContractStatus, ImplementationStatus } from '../../protocol/words.ts'
import { bodyOf } from '../statements/kind.ts'
import { builtOn, revision as revisionKind } from '../statements/revision.ts'
import { newestOf, type Statement } from '../statements/statement.ts'
import { verification as verificationKind } from '../statements/verification.ts'
import { work as workKind } from '../statements/work.ts'
import type { Tally } from './tally.ts'

/** One version of a contract that counts: which repos have to agree to it, and whether they did. */
export interface VersionState {
  readonly statement: Statement
  readonly version: number
  /** The repo that wrote it. */
  readonly author: string
  /** Repos that have to implement it. */
  readonly parties: readonly string[]
  /** Repos that have to agree to it: its parties, and the protected repos of the versions that it builds on. */
  readonly needed: readonly string[]
  readonly isAgreed: boolean
  /**
   * Repos that a later version cannot drop without their agreement: the parties of the last agreed version in its
   * ancestry or, if none was agreed, the author of the first version.
   */
  readonly protectedRepos: ReadonlySet<string>
  readonly tally: Tally
  readonly parents: readonly VersionState[]
}

interface VersionInput {
  readonly statement: Statement
  readonly author: string
  readonly tally: Tally
  /** The state of another version; undefined if that one has no effect. */
  readonly stateOf: (id: string) => VersionState | undefined
  /** Whether a repo still belongs to the project: nobody waits for the agreement of a removed repo. */
  readonly isPresent: (repoId: string) => boolean
}

/**
 * The state of a version; undefined when it has no effect, because its author is no party of a version that it builds
 * on, or because such a version has no effect itself. It depends on lower versions only, so the order of arrival does
 * not matter.
 */
export function stateOfVersion(input: VersionInput): VersionState | undefined {
  const { statement, author, tally, stateOf, isPresent } = input
  const body = bodyOf(revisionKind, statement)
  const parents: VersionState[] = []
  for (const id of builtOn(body)) {
    const one = stateOf(id)
    if (one === undefined) return undefined
    parents.push(one)
  }
  if (parents.length > 0 && !parents.some((one) => isParty(one, author))) return undefined
  const inherited = union(parents.map(({ protectedRepos }) => protectedRepos))
  const parties = [...new Set(body.parties)].filter(isPresent).sort(compareText)
  const needed = [...new Set([...parties, ...inherited])].filter(isPresent).sort(compareText)
  const isAgreed = isAgreedBy(tally, { needed, author })
  const protectedRepos = isAgreed ? new Set(parties) : parents.length === 0 ? new Set([author]) : inherited
  return {
    statement,
    version: body.version,
    author,
    parties,
    needed,
    isAgreed,
    protectedRepos,
    tally,
    parents,
  }
}

/** Whether a repo may answer this version, change it, implement and verify it. */
export const isParty = ({ needed, author }: VersionState, repoId: string): boolean =>
  author === repoId || needed.includes(repoId)

/** All needed repos except the author have agreed. An author who is the only needed repo has to agree explicitly. */
function isAgreedBy(
  { answers }: Tally,
  { needed, author }: Pick<VersionState, 'needed' | 'author'>,
): boolean {
  const saysYes = (repoId: string) => answers.get(repoId)?.hasAgreed === true
  const others = needed.filter((repoId) => repoId !== author)
  return others.length === 0 ? saysYes(author) : others.every(saysYes)
}

/** Repos whose newest answer is not agree. Such an answer does not undo an agreement; it stays open until it is met. */
export const objectorsTo = (state: VersionState): string[] =>
  [...state.tally.answers]
    .filter(([repoId, { newest }]) => newest.body['action'] !== 'agree' && isParty(state, repoId))
    .map(([repoId]) => repoId)
    .sort(compareText)

/** Returns the set itself when there is only one: only merged branches need a new set. */
function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = sets
  return others.length === 0 ? first : new Set(sets.flatMap((set) => [...set]))
}

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
