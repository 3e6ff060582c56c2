import { defined } from '../../protocol/collections/defined.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { changeOf } from '../interface/judge/change.ts'
import type { Change, Finding, Form } from '../interface/model.ts'
import { findingsOf, reviewPair } from '../interface/review.ts'

/** One side of a comparison; null: its content was taken away. */
export interface Side {
  /** Missing while it is proposed by nobody. */
  readonly version?: number
  readonly content: JsonObject | null
  /** What it proposes is the end of the contract. */
  readonly retire: boolean
}

/** How two versions of a contract differ, before anybody is asked what that does to them. */
export interface Compared {
  readonly form: Form
  /** Why nothing is understood of the new one. */
  readonly why?: string
  readonly changes: readonly Change[]
  /** Why they could not be compared, or what they say is not understood. */
  readonly unread?: string
  readonly findings: readonly Finding[]
  readonly hasMoreFindings: boolean
}

export function compareSides(type: string, before: Side, after: Side): Compared {
  if (after.retire && !before.retire)
    return { form: findingsOf(type, before.content).form, changes: [END], ...NO_FINDINGS }
  if (before.content === null) return unreadable(before)
  if (after.content === null) return unreadable(after)
  const { form, why, all, findings } = reviewPair(type, before.content, after.content)
  return {
    form,
    ...defined({ why }),
    ...(why === undefined || all.length === 0 ? {} : { unread: `not understood, because ${why}` }),
    changes: all,
    findings,
    hasMoreFindings: findingsOf(type, after.content).truncated,
  }
}

const NO_FINDINGS = { findings: [], hasMoreFindings: false } as const

const END = changeOf(
  { path: '', kind: 'contract-ended', narrows: 'yes', widens: 'no' },
  { at: '', sender: 'consumer' },
)

const unreadable = ({ version }: Side): Compared => ({
  form: 'opaque',
  changes: [],
  unread: `the content of version ${version} was taken away`,
  ...NO_FINDINGS,
})
