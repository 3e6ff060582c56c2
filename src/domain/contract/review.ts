import { defined } from '../../protocol/collections/defined.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import {
  impactOf,
  MOST_MISSING,
  rolloutOf,
  VERDICT_OF,
  VERDICT_RANKS,
  verdictOf,
} from '../interface/judge/verdict.ts'
import { type Change, MOST_CHANGES, type Verdict } from '../interface/model.ts'
import {
  type Alone,
  findingsOf,
  findingsOfNew,
  readInterface,
  reviewFor,
  type Terms,
} from '../interface/review.ts'
import type { RevisionEntity } from '../views/entities.ts'
import { type Compared, compareSides, type Side } from './compare-sides.ts'
import { assertUses } from './expectation.ts'
import { type JudgedRepo, judgeRepos, type RepoQuestion } from './repo-review.ts'
import type { ContractReview, ToldChange } from './review-shape.ts'

interface Question extends RepoQuestion {
  readonly before: RevisionEntity
  /** Compare every repo with `before`, whatever it has. */
  readonly isFixed?: boolean
}

/** What becomes of the repos that consume a contract when a version gives way to other content. */
export function reviewChange(question: Question): ContractReview {
  const { contract, before, after, isFixed = false } = question
  const compared = compareSides(contract.type, before, after)
  const judged = judgeRepos({ ...question, before: isFixed ? before : undefined })
  const general = generalOf(compared)
  const verdict = judged.length === 0 ? general.verdict : worst(judged.map(({ review }) => review.verdict))
  const missing =
    judged.length === 0 ? general.missing : [...new Set(judged.flatMap(({ review }) => review.missing ?? []))]
  const changes = weighedChanges(compared, judged, before)
  return {
    form: compared.form,
    ...defined({ why: compared.why }),
    against: { version: before.version },
    verdict,
    rollout:
      compared.changes.length === 0 && compared.unread !== undefined
        ? 'together'
        : rolloutOf(compared.changes, verdict),
    changes: changes.slice(0, MOST_CHANGES).map(told),
    repos: judged.map(({ review }) => review),
    ...(missing.length === 0 ? {} : { missing: missing.slice(0, MOST_MISSING) }),
    findings: compared.findings,
    ...(changes.length > MOST_CHANGES || compared.hasMoreFindings ? { truncated: true } : {}),
  }
}

/** For consumers of whom nothing is known. */
function generalOf({ changes, unread }: Compared): { verdict: Verdict; missing: readonly string[] } {
  if (changes.length === 0 && unread !== undefined) return { verdict: 'unknown', missing: [unread] }
  const { verdict, missing } = verdictOf(changes, 'consumer')
  return { verdict, missing: missing.length > 0 && unread !== undefined ? [unread] : missing }
}

const worst = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((one, other) => (VERDICT_RANKS[other] < VERDICT_RANKS[one] ? other : one), 'compatible')

/** A change with what it does to the repos that have what it is a change of. */
interface WeighedChange extends Pick<ToldChange, 'breaks' | 'against' | 'verdict'> {
  readonly change: Change
}

/** The changes of what is compared, and those of older versions that hurt a repo which still has them; the worst first. */
function weighedChanges(
  { changes }: Compared,
  judged: readonly JudgedRepo[],
  before: RevisionEntity,
): WeighedChange[] {
  const upToDate = judged.filter(({ baseline }) => baseline.id === before.id)
  const current = changes.map((change) => weighed(change, upToDate))
  const older = new Map<string, WeighedChange>()
  const behind = judged.filter(({ baseline }) => baseline.id !== before.id)
  for (const { baseline, impacts } of behind) {
    const same = behind.filter((one) => one.baseline.id === baseline.id)
    for (const [change, likely] of impacts) {
      if (likely === 'no') continue
      const key = `${baseline.id} ${change.fingerprint} ${change.sender}`
      // The same for every repo that has this version.
      if (!older.has(key))
        older.set(key, { ...weighed(change, same), against: { version: baseline.version } })
    }
  }
  return [...current, ...older.values()].sort((a, b) => VERDICT_RANKS[a.verdict] - VERDICT_RANKS[b.verdict])
}

function weighed(change: Change, judged: readonly JudgedRepo[]): WeighedChange {
  if (judged.length === 0) return { change, verdict: VERDICT_OF[impactOf(change, 'consumer')] }
  const impacts = judged.map(({ review, impacts }) => ({
    repo: review.repo,
    likely: impacts.get(change) ?? 'unsure',
  }))
  const breaks = impacts.filter(({ likely }) => likely === 'yes').map(({ repo }) => repo)
  return {
    change,
    verdict: worst(impacts.map(({ likely }) => VERDICT_OF[likely])),
    ...(breaks.length === 0 ? {} : { breaks }),
  }
}

function told({ change, ...weight }: WeighedChange): ToldChange {
  const { at, kind, say, fingerprint } = change
  return { at, kind, say, fingerprint, ...weight }
}

/** What becomes of consumers when one content gives way to another; neither need be of any contract. */
export function reviewContents(type: string, before: Json, after: Json, terms: Terms = {}): ContractReview {
  const sides = [readInterface(type, before, terms.most), readInterface(type, after, terms.most)] as const
  assertUses(terms.uses ?? [], sides)
  const { form, why, verdict, rollout, changes, missing, findings, truncated } = reviewFor(terms, ...sides)
  return {
    form,
    ...defined({ why }),
    verdict,
    rollout,
    changes: changes.map(({ verdict: own, ...change }) => told({ change, verdict: own })),
    ...(missing.length === 0 ? {} : { missing }),
    findings,
    ...(truncated ? { truncated } : {}),
  }
}

/** What is said about content that nothing is compared with. */
export const reviewAlone = (type: string, content: JsonObject | null): ContractReview =>
  toldAlone(findingsOf(type, content))

function toldAlone({ form, why, findings, truncated }: Alone): ContractReview {
  return {
    form,
    ...defined({ why }),
    changes: [],
    findings,
    ...(truncated ? { truncated } : {}),
  }
}

/** What is told to who proposes a new contract: what was found in it, if anything. */
export const reviewProposal = (type: string, content: JsonObject): { review?: ContractReview } =>
  ifFound(findingsOfNew(type, content))

const ifFound = (found: Alone): { review?: ContractReview } =>
  found.findings.length === 0 ? {} : { review: toldAlone(found) }

type Proposed = Side & Pick<RevisionEntity, 'id' | 'repo_id'>

/**
 * What is told beside a version that is being negotiated: what it does to those who have the one in force, else what
 * was found in it. Nothing where neither is there to tell, or where it is in force itself. `now` is the contract with
 * what was said since.
 */
export function reviewBeside(
  { found, contract, now }: Pick<RepoQuestion, 'found' | 'contract' | 'now'>,
  version: Proposed,
): { review?: ContractReview } {
  const before = contract.in_force?.revision
  if (before === undefined) return ifFound(findingsOf(contract.type, version.content))
  if (before.id === version.id) return {}
  return { review: reviewChange({ found, contract, now, before, after: version, author: version.repo_id }) }
}
