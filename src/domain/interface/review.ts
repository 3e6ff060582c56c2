import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { RecentCache } from '../../protocol/collections/recent-cache.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { Budget, MOST_WORK } from './budget.ts'
import { opaqueInterface, recognise } from './forms/read-interface.ts'
import { diffInterfaces } from './judge/diff-interfaces.ts'
import { impactOf, rolloutOf, VERDICT_OF, VERDICT_RANKS, verdictOf } from './judge/verdict.ts'
import {
  type Change,
  type Expectation,
  type Finding,
  type Form,
  type Interface,
  MOST_CHANGES,
  type Rollout,
  type Tolerance,
  type Verdict,
} from './model.ts'
import { usedPlaces } from './uses/used.ts'

/**
 * What the rest of the program uses to understand contracts. All of it is pure and bounded, and none of it throws,
 * whatever the content is.
 *
 *   readInterface(type, content)                 here: form, operations with their slots, findings
 *   reviewPair(type, before, after)              here: all of it at once, without any state
 *   reviewFor(terms, before, after)              here: the same for consumers of whom something is known
 *   findingsOf(type, content)                    here: what is said about content that nothing is compared with
 *   diffInterfaces(before, after)                judge/diff-interfaces.ts: every change, with place, sentence, fingerprint
 *   verdictOf(changes, direction, expectation?)  judge/verdict.ts: compatible, breaking or unknown, and why
 *   impactOf(change, direction, expectation?)    judge/verdict.ts: the same of one change
 *   rolloutOf(changes)                           judge/verdict.ts: who has to go first
 */
export interface Review {
  readonly form: Form
  /** Why nothing is understood of the new content. */
  readonly why?: string
  readonly verdict: Verdict
  readonly rollout: Rollout
  /** The worst first, and not more than people read. */
  readonly changes: readonly ReviewedChange[]
  /** Every change. */
  readonly all: readonly Change[]
  /** What would have to be known where the verdict is `unknown`. */
  readonly missing: readonly string[]
  readonly findings: readonly Finding[]
  /** Changes or findings were left out. */
  readonly truncated: boolean
}

export interface ReviewedChange extends Change {
  /** Whether it hurts consumers that stay as they are. */
  readonly verdict: Verdict
}

const MOST_FINDINGS = 10

/** How many contents, and how many comparisons, are remembered at least: a reading can be larger than what was read. */
const KEPT = 500

const readings = new RecentCache<object, { readonly type: string; readonly made: Interface }>(KEPT)

/**
 * What content means. The same object is not read again soon, as long as nobody asks for it as another type, or with
 * another bound on what a review of it may take.
 */
export function readInterface(type: string, content: Json, most: number = MOST_WORK): Interface {
  if (!isJsonObject(content)) return opaqueInterface(content, 'it is no object')
  if (most !== MOST_WORK) return recognise(type, content, most / 2)
  const found = readings.get(content)
  if (found?.type === type) return found.made
  const made = recognise(type, content, most / 2)
  readings.set(content, { type, made })
  return made
}

/** By the new content, and then by the old one. */
const reviews = new RecentCache<object, WeakMap<object, { readonly type: string; readonly made: Review }>>(
  KEPT,
)

/**
 * What becomes of consumers when the provider goes from one content to the other. Findings are of the new one. The
 * same pair of objects is not judged again soon.
 */
export function reviewPair(type: string, before: Json, after: Json): Review {
  const judged = () => judge(readInterface(type, before), readInterface(type, after))
  if (!isJsonObject(before) || !isJsonObject(after)) return judged()
  const ofAfter = getOrAdd(reviews, after, () => new WeakMap())
  const known = ofAfter.get(before)
  if (known?.type === type) return known.made
  const made = judged()
  ofAfter.set(before, { type, made })
  return made
}

/** What is known of those for whom two contents are judged, and how long they can wait. */
export interface Terms {
  /** Places that they use; all where it is left out. */
  readonly uses?: readonly string[] | undefined
  readonly tolerates?: readonly Tolerance[] | undefined
  /** What the review may take. */
  readonly most?: number | undefined
}

/** The same for consumers of whom something is known. Nothing of it is remembered. */
export function reviewFor({ uses, tolerates = [], most }: Terms, old: Interface, now: Interface): Review {
  const expectation = { tolerates, ...usedPlaces(uses ?? null, old, now) }
  return judge(old, now, { expectation, ...(most === undefined ? {} : { most }) })
}

export type Alone = Pick<Review, 'form' | 'why' | 'findings' | 'truncated'>

/** What is said about content by itself. */
export const findingsOf = (type: string, content: Json): Alone => foundIn(readInterface(type, content))

/** The same of content that is new. It is not remembered: until there is another version, nobody asks again. */
export const findingsOfNew = (type: string, content: JsonObject): Alone =>
  foundIn(recognise(type, content, MOST_WORK / 2))

function foundIn({ form, why, findings }: Interface): Alone {
  return {
    form,
    ...(why === undefined ? {} : { why }),
    findings: findings.length > MOST_FINDINGS ? findings.slice(0, MOST_FINDINGS) : findings,
    truncated: findings.length > MOST_FINDINGS,
  }
}

interface Judging {
  readonly expectation?: Expectation
  readonly most?: number
}

function judge(old: Interface, now: Interface, { expectation, most = MOST_WORK }: Judging = {}): Review {
  const changes = diffInterfaces(old, now, new Budget(most, old.work + now.work))
  const { verdict, missing } = verdictOf(changes, 'consumer', expectation)
  const judged = changes.map((change) => ({
    change,
    verdict: VERDICT_OF[impactOf(change, 'consumer', expectation)],
  }))
  judged.sort((a, b) => VERDICT_RANKS[a.verdict] - VERDICT_RANKS[b.verdict])
  return {
    ...foundIn(now),
    verdict,
    rollout: rolloutOf(changes, verdict),
    // With their sentences and fingerprints as plain data.
    changes: judged.slice(0, MOST_CHANGES).map(({ change, verdict: own }) => ({ ...change, verdict: own })),
    all: changes,
    missing: now.why === undefined || missing.length === 0 ? missing : [`not understood, because ${now.why}`],
    truncated: changes.length > MOST_CHANGES || now.findings.length > MOST_FINDINGS,
  }
}
