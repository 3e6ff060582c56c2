import { RecentCache } from '../../protocol/collections/recent-cache.ts'
import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import { whyNotWalked } from './forms/not-walked.ts'
import { opaqueInterface, recognise } from './forms/read-interface.ts'
import { diffInterfaces } from './judge/diff-interfaces.ts'
import { rolloutOf, VERDICT_RANKS, verdictOf } from './judge/verdict.ts'
import type { Change, Finding, Form, Interface, Rollout, Verdict } from './model.ts'

/**
 * What the rest of the program uses to understand contracts. All of it is pure and bounded, and none of it throws,
 * whatever the content is.
 *
 *   readInterface(type, content)                 here: form, operations with their slots, findings
 *   reviewPair(type, before, after)              here: all of it at once, without any state
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

export const MOST_CHANGES = 20
const MOST_FINDINGS = 10
export const MOST_MISSING = 5

/** How many contents, and how many comparisons, are remembered at least: a reading can be larger than what was read. */
const KEPT = 500

const readings = new RecentCache<object, { readonly type: string; readonly made: Interface }>(KEPT)

/** What content means. The same object is not read again soon, as long as nobody asks for it as another type. */
export function readInterface(type: string, content: Json): Interface {
  if (!isJsonObject(content)) return opaqueInterface(content, 'it is no object')
  const found = readings.get(content)
  if (found?.type === type) return found.made
  const why = whyNotWalked(content)
  const made =
    why === undefined ? recognise(type, content) : { ...opaqueInterface(null, why), isUnread: true }
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
  if (!isJsonObject(before) || !isJsonObject(after)) return judge(type, before, after)
  const ofAfter = reviews.getOrFind(after, () => new WeakMap())
  const known = ofAfter.get(before)
  if (known?.type === type) return known.made
  const made = judge(type, before, after)
  ofAfter.set(before, { type, made })
  return made
}

/** What is said about content by itself. */
export function findingsOf(
  type: string,
  content: Json,
): Pick<Review, 'form' | 'why' | 'findings' | 'truncated'> {
  const { form, why, findings } = readInterface(type, content)
  return {
    form,
    ...(why === undefined ? {} : { why }),
    findings: findings.length > MOST_FINDINGS ? findings.slice(0, MOST_FINDINGS) : findings,
    truncated: findings.length > MOST_FINDINGS,
  }
}

function judge(type: string, before: Json, after: Json): Review {
  const [old, now] = [readInterface(type, before), readInterface(type, after)]
  const changes = diffInterfaces(old, now)
  const { verdict, missing } = verdictOf(changes, 'consumer')
  const each = changes.map((change) => ({ ...change, verdict: verdictOf([change], 'consumer').verdict }))
  const worstFirst = each.toSorted((a, b) => rankOf(a) - rankOf(b))
  return {
    ...findingsOf(type, after),
    verdict,
    rollout: rolloutOf(changes),
    changes: worstFirst.slice(0, MOST_CHANGES),
    all: changes,
    missing:
      now.why === undefined || missing.length === 0
        ? missing.slice(0, MOST_MISSING)
        : [`not understood, because ${now.why}`],
    truncated: changes.length > MOST_CHANGES || now.findings.length > MOST_FINDINGS,
  }
}

const rankOf = ({ verdict }: ReviewedChange): number => VERDICT_RANKS[verdict]
