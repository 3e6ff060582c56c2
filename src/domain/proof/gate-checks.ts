import type { NextCall } from '../../protocol/next-call.ts'
import { onContract } from '../contract/advice.ts'
import { compareSides } from '../contract/compare-sides.ts'
import type { Seat } from '../contract/contract.ts'
import { hasCompleted, repoName, repoNames } from '../contract/next-step.ts'
import { implementedBy, judgeRepos } from '../contract/repo-review.ts'
import type { RepoReview } from '../contract/review-shape.ts'
import { sideIn } from '../contract/side.ts'
import { rolloutOf, verdictOf } from '../interface/judge/verdict.ts'
import type { Sender, Verdict } from '../interface/model.ts'
import { listed } from '../names/listed.ts'
import { quoted } from '../names/quoted.ts'
import type { RevisionEntity } from '../views/entities.ts'
import { type Grade, isAtLeast, TO_VERIFY } from './evidence.ts'
import type { GateSaid } from './gate-shape.ts'
import { type Proof, proofOf } from './proof.ts'

/** What can stand against merging a repo's part of a contract, one function each. */

export interface GateQuestion extends Pick<Seat, 'found' | 'contract' | 'repo'> {
  readonly require: Grade
  /** Whether anybody in the project says what it merged; otherwise what is complete counts as merged. */
  readonly isMergingSaid: boolean
}

/** Undefined: nothing stands against merging. What does not stop it and should be known goes into the notes. */
type Check = (question: GateQuestion, inForce: RevisionEntity, notes: string[]) => GateSaid | undefined

/** Most names in a sentence. */
const MOST_NAMED = 5
/** Most characters of a quoted path. */
const FILE_LENGTH = 200

function openConflict(question: GateQuestion): GateSaid | undefined {
  const { found, contract } = question
  if (contract.conflicts.length === 0) return undefined
  const authors = [...new Set([contract.head, ...contract.conflicts].map(({ repo_id }) => repo_id))]
  return {
    answer: 'no',
    code: 'open_conflict',
    say: `Two versions ${contract.head.version} were proposed at the same time`,
    ask: repoNames(found, authors),
    next: onContract(question, 'cacp/contract/resolve', { keep: 'winner' }, ['keep']),
  }
}

function failedVerification(question: GateQuestion): GateSaid | undefined {
  const { found, contract, repo } = question
  const failed = contract.works.filter(({ status }) => status === 'needs_revision')
  if (failed.length === 0) return undefined
  const blamed = failed.map(({ repo_id }) => repo_id)
  const judges = new Set(failed.flatMap(({ failures }) => failures.map(({ repo_id }) => repo_id)))
  const isOwn = blamed.includes(repo.repo_id)
  return {
    answer: 'no',
    code: 'verification_failed',
    say: `${listed(repoNames(found, [...judges]), MOST_NAMED)} found that the part of ${listed(repoNames(found, blamed), MOST_NAMED)} does not work`,
    ask: repoNames(found, blamed),
    ...(isOwn ? { next: onContract(question, 'cacp/implementation/start') } : {}),
  }
}

/** The repo itself has not built the version in force. */
function ownPart(question: GateQuestion, inForce: RevisionEntity, notes: string[]): GateSaid | undefined {
  const { contract, repo } = question
  const own = contract.works.find(({ repo_id }) => repo_id === repo.repo_id)
  if (own?.status === 'complete') return undefined
  const older = implementedBy(contract, repo.repo_id)
  const finish = onContract(question, `cacp/implementation/${own === undefined ? 'start' : 'complete'}`)
  if (older === undefined)
    return {
      answer: 'unknown',
      code: 'not_complete',
      say: `${repo.name} has not completed its part of version ${inForce.version}`,
      ask: [repo.name],
      next: finish,
    }
  const verdict = verdictOfStep(question, older, inForce)
  if (verdict === 'compatible') {
    notes.push(
      `${repo.name} has version ${older.version}, with which version ${inForce.version} is compatible`,
    )
    return undefined
  }
  const isBreaking = verdict === 'breaking'
  const works = isBreaking ? 'which does not work' : 'and nobody can tell whether that works'
  return {
    answer: isBreaking ? 'no' : 'unknown',
    code: 'older_version',
    say: `${repo.name} has version ${older.version}, ${works} with version ${inForce.version}`,
    ask: [repo.name],
    next: finish,
  }
}

/** Whether the part of a repo, built for an older version, works beside others that have the version in force. */
function verdictOfStep(
  { found, contract, repo }: GateQuestion,
  older: RevisionEntity,
  inForce: RevisionEntity,
): Verdict {
  const [judged] = judgeRepos({ found, contract, before: older, after: inForce, only: repo.repo_id })
  if (judged === undefined)
    return verdictOf(compareSides(contract.type, older, inForce).changes, 'provider').verdict
  const { verdict } = judged.review
  return verdict === 'breaking' && isAccepted(judged.review) ? 'compatible' : verdict
}

const isAccepted = ({ because, accepted = [] }: RepoReview): boolean =>
  because.every((one) => accepted.some(({ fingerprint }) => fingerprint === one))

function ownFiles(question: GateQuestion): GateSaid | undefined {
  const { contract, repo } = question
  const own = proofOf(contract)?.moved.find(({ repoId }) => repoId === repo.repo_id)
  if (own === undefined) return undefined
  return {
    answer: 'no',
    code: 'own_file_moved',
    say: changedSince(repo.name, own.files),
    ask: [repo.name],
    next: verifyAgain(question),
  }
}

/** A repo that has another version, and would be hurt by the one in force, has to accept that itself. */
function brokenCounterpart(question: GateQuestion, inForce: RevisionEntity): GateSaid | undefined {
  const { found, contract, repo } = question
  const hurt = judgeRepos({ found, contract, after: inForce }).filter(
    ({ repoId, review }) => repoId !== repo.repo_id && review.verdict === 'breaking' && !isAccepted(review),
  )
  const [first] = hurt
  if (first === undefined) return undefined
  return {
    answer: 'no',
    code: 'breaks_counterpart',
    say: `Version ${inForce.version} breaks ${first.review.repo}, which has version ${first.baseline.version} and has not accepted that`,
    ask: hurt.map(({ review }) => review.repo),
  }
}

/** Who has to go first where not all have the version in force. */
function counterparts(
  question: GateQuestion,
  inForce: RevisionEntity,
  notes: string[],
): GateSaid | undefined {
  const { found, repo } = question
  const others = inForce.parties.filter((party) => party !== repo.repo_id)
  for (const party of others) {
    const name = repoName(found, party)
    const { out, isComplete } = outOf(question, party)
    if (out?.id === inForce.id) continue
    if (out === undefined && isComplete) {
      notes.push(`${name} has completed version ${inForce.version} and not merged it yet`)
      continue
    }
    if (out === undefined)
      return {
        answer: 'unknown',
        code: 'counterpart_silent',
        say: `${name} has not completed its part of version ${inForce.version}`,
        ask: [name],
      }
    const { contract } = question
    const rollout = rolloutOf(compareSides(contract.type, out, inForce).changes)
    const goesFirst = rollout === 'any' || (rollout !== 'together' && isOnSide(question, rollout))
    if (!goesFirst)
      return {
        answer: 'no',
        code: 'merge_counterpart_first',
        say:
          rollout === 'together'
            ? `${name} has version ${out.version}, and version ${inForce.version} works on both sides together only`
            : `${name} has version ${out.version}: merge ${name} first`,
        ask: [name],
      }
    notes.push(`${name} still has version ${out.version}, which does not mind if ${repo.name} goes first`)
  }
  return undefined
}

const FIRST: Readonly<Record<'provider_first' | 'consumers_first', Sender>> = {
  provider_first: 'provider',
  consumers_first: 'consumer',
}

function isOnSide({ contract, repo }: GateQuestion, rollout: keyof typeof FIRST): boolean {
  const side = sideIn(repo, contract)
  return side === 'both' || side === FIRST[rollout]
}

/** Most statements searched for a version that is out. */
const MOST_SEARCHED = 500

/** The version that is out at a repo: what it merged, or what it completed where nobody says what is merged. */
function outOf({ contract, isMergingSaid }: GateQuestion, repoId: string) {
  const { in_force, merged } = contract
  const isComplete = hasCompleted(contract, repoId)
  const completed = isComplete ? in_force?.revision : implementedBy(contract, repoId)
  if (!isMergingSaid) return { out: completed, isComplete }
  const said = merged.find(({ repo_id }) => repo_id === repoId)?.revision
  if (said === in_force?.revision.id) return { out: in_force?.revision, isComplete }
  return { out: contract.recent(MOST_SEARCHED).revisions.find(({ id }) => id === said), isComplete }
}

function verification(question: GateQuestion, inForce: RevisionEntity): GateSaid | undefined {
  const { found, contract, repo, require } = question
  const proof = proofOf(contract)
  // Beside others that have an older version, the version in force cannot be verified; that it goes together was shown above.
  if (![repo.repo_id, ...inForce.parties].every((party) => hasCompleted(contract, party))) return undefined
  if (proof === undefined || (proof.best === undefined && proof.moved.length === 0))
    return {
      answer: 'unknown',
      code: 'not_verified',
      say:
        proof?.newest.result === 'partial'
          ? `${repoName(found, proof.newest.repo_id)} found that version ${inForce.version} works in part`
          : `Nobody has verified version ${inForce.version} as it is now`,
      ask: repoNames(found, inForce.parties),
      next: verifyAgain(question),
    }
  if (proof.best === undefined) return stale(question, proof)
  const { grade, verification: by } = proof.best
  if (isAtLeast(grade, require)) return undefined
  return {
    answer: 'unknown',
    code: 'no_evidence',
    say:
      grade === 'claimed'
        ? `${repoName(found, by.repo_id)} verified version ${inForce.version} without evidence`
        : `The evidence for version ${inForce.version} is that something ${grade}, and ${require} is required`,
    ask: [repoName(found, by.repo_id)],
    next: verifyAgain(question),
    grade,
  }
}

function stale(question: GateQuestion, { moved }: Proof): GateSaid {
  const { found, contract } = question
  const [first] = moved
  return {
    answer: 'unknown',
    code: 'stale',
    say: changedSince(repoName(found, first?.repoId ?? ''), first?.files ?? []),
    ask: repoNames(found, contract.in_force?.revision.parties ?? []),
    next: verifyAgain(question),
  }
}

function changedSince(repo: string, files: readonly string[]): string {
  const [first] = files
  const more = files.length > 1 ? ` and ${files.length - 1} more files` : ''
  const what = first === undefined ? 'Files' : `${quoted(first, FILE_LENGTH)}${more}`
  return `${what} of ${repo} changed since it was verified`
}

const verifyAgain = (question: GateQuestion): NextCall =>
  onContract(question, 'cacp/implementation/verify', TO_VERIFY, Object.keys(TO_VERIFY))

/** In this order; the first that answers decides. */
export const CHECKS: readonly Check[] = [
  openConflict,
  failedVerification,
  ownPart,
  ownFiles,
  brokenCounterpart,
  counterparts,
  verification,
]
