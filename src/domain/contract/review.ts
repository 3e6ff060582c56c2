import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { changeOf } from '../interface/judge/change.ts'
import { rolloutOf } from '../interface/judge/verdict.ts'
import type { Finding, Form, Rollout, Verdict } from '../interface/model.ts'
import { findingsOf, type ReviewedChange, reviewPair } from '../interface/review.ts'
import type { ContractEntity, RevisionEntity } from '../views/entities.ts'

/** What is said about content, and about its difference from what it is compared with. */
export interface ContractReview {
  readonly form: Form
  /** Why nothing is understood of it. */
  readonly why?: string
  /** What it is compared with; missing where that has no version. */
  readonly against?: { readonly version: number }
  /** Missing where there is nothing to compare with. */
  readonly verdict?: Verdict
  readonly rollout?: Rollout
  readonly changes: readonly ToldChange[]
  readonly missing?: readonly string[]
  readonly findings: readonly Finding[]
  readonly truncated?: true
}

export type ToldChange = Pick<ReviewedChange, 'at' | 'kind' | 'say' | 'fingerprint' | 'verdict'>

/** One side of a comparison; null: its content was taken away. */
export interface Side {
  /** Missing while it is proposed by nobody. */
  readonly version?: number
  readonly content: JsonObject | null
  /** What it proposes is the end of the contract. */
  readonly retire: boolean
}

/** What becomes of consumers when a version gives way to other content. */
export function reviewSides(type: string, before: RevisionEntity, after: Side): ContractReview {
  const against = { version: before.version }
  if (after.retire && !before.retire)
    return { ...ITS_END, form: findingsOf(type, before.content).form, against }
  if (before.content === null) return { ...unreadable(before), against }
  if (after.content === null) return { ...unreadable(after), against }
  return { ...reviewContents(type, before.content, after.content), against }
}

/** The same of two contents that need not be of any contract. */
export function reviewContents(type: string, before: Json, after: Json): ContractReview {
  const { form, why, verdict, rollout, changes, missing, findings, truncated } = reviewPair(
    type,
    before,
    after,
  )
  return {
    form,
    ...(why === undefined ? {} : { why }),
    verdict,
    rollout,
    changes: changes.map(told),
    ...(missing.length === 0 ? {} : { missing }),
    findings,
    ...(truncated ? { truncated } : {}),
  }
}

/** What is said about content that nothing is compared with. */
export function reviewAlone(type: string, content: JsonObject | null): ContractReview {
  const { form, why, findings, truncated } = findingsOf(type, content)
  return {
    form,
    ...(why === undefined ? {} : { why }),
    changes: [],
    findings,
    ...(truncated ? { truncated } : {}),
  }
}

/**
 * What is told beside a version that is being negotiated: how it differs from what is in force, else what was found in
 * it. Nothing where neither is there to tell, or where it is in force itself.
 */
export function reviewBeside(
  { type, in_force }: Pick<ContractEntity, 'type' | 'in_force'>,
  version: Side & { readonly id?: string },
): { review?: ContractReview } {
  if (in_force === undefined) return worthTelling(reviewAlone(type, version.content))
  if (in_force.revision.id === version.id) return {}
  return { review: reviewSides(type, in_force.revision, version) }
}

const worthTelling = (review: ContractReview): { review?: ContractReview } =>
  review.findings.length === 0 ? {} : { review }

const told = ({ at, kind, say, fingerprint, verdict }: ReviewedChange): ToldChange => ({
  at,
  kind,
  say,
  fingerprint,
  verdict,
})

const END = changeOf(
  { path: '', kind: 'contract-ended', narrows: 'yes', widens: 'no' },
  { at: '', sender: 'consumer' },
)

const ITS_END: Omit<ContractReview, 'form'> = {
  verdict: 'breaking',
  rollout: rolloutOf([END]),
  changes: [told({ ...END, verdict: 'breaking' })],
  findings: [],
}

const unreadable = ({ version }: Pick<Side, 'version'>): ContractReview => ({
  form: 'opaque',
  verdict: 'unknown',
  rollout: 'together',
  changes: [],
  missing: [`the content of version ${version} was taken away`],
  findings: [],
})
