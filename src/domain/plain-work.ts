import type { z } from 'zod'
import { latest, type Stamp, stampAfter } from '../protocol/stamp.ts'
import type { ContractStatus, VerificationResult } from '../protocol/words.ts'
import { headOf, statusOf } from './contract.ts'
import { implementationOf } from './implementation.ts'
import { joinBy } from './join.ts'
import { WORK } from './merge.ts'
import type { Contract, ContractForm, Implementation, Verification } from './model.ts'
import { ownContractForm, workForm } from './plain-form.ts'
import type { WireImplementation } from './wire.ts'

type Given = z.infer<typeof WireImplementation>

export interface WorkSeen {
  readonly local: Contract | undefined
  /** The revision that the peer has as its head. */
  readonly revision: string
  readonly status: ContractStatus
  readonly at: Stamp
  /** What the peer was known to hold before, about whichever revision. */
  readonly before: readonly ContractForm[]
}

/** The implementations that the peer wrote since it was last seen. It keeps old ones through updates: no news. */
export function readWork(given: readonly Given[], seen: WorkSeen): Implementation[] {
  return given.filter((one) => isNews(one, seen)).map((one) => readImplementation(one, seen))
}

function isNews(one: Given, { local, revision, before }: WorkSeen): boolean {
  if (local === undefined) return true
  const form = workForm(one)
  if ([...before, ownContractForm(local)].some(({ work }) => work[one.repo_id] === form)) return false
  // What a failed verification did to it is told by the verification.
  if (one.status === 'needs_revision') return implementationOf(local, one.repo_id, revision) === undefined
  return !local.implementations.some(
    (known) =>
      known.repo_id === one.repo_id &&
      known.status === one.status &&
      known.started_at === (one.started_at ?? null) &&
      known.completed_at === (one.completed_at ?? null),
  )
}

function readImplementation(one: Given, { local, revision, at, before }: WorkSeen): Implementation {
  const known = local && implementationOf(local, one.repo_id, revision)
  const stamps = [one.started_at, one.completed_at].filter((stamp) => stamp != null)
  const updated = stamps.length === 0 ? at : latest(stamps)
  const form = local && ownContractForm(local).work[one.repo_id]
  const isOnTopOfOurs = before.some(({ work }) => work[one.repo_id] === form)
  const isPlanned = one.status === 'in_progress'
  return {
    repo_id: one.repo_id,
    agent_id: one.agent_id ?? '',
    revision,
    status: one.status,
    plan: one.plan ?? '',
    notes: one.notes ?? '',
    files: isPlanned ? [] : (one.files ?? []),
    estimated_files: isPlanned ? (one.files ?? []) : (known?.estimated_files ?? []),
    test_endpoint: one.test_endpoint ?? null,
    started_at: one.started_at ?? null,
    completed_at: one.completed_at ?? null,
    updated_at: known !== undefined && isOnTopOfOurs ? stampAfter(updated, known.updated_at) : updated,
  }
}

/** What the peer found out about the work, if that is news; `work` is what readWork made of it. */
export function readVerdict(
  given: readonly Given[],
  work: readonly Implementation[],
  { local, revision, status, before }: WorkSeen,
): Pick<Verification, 'result' | 'judged'> | undefined {
  const result = resultOf(given, { local, revision, status, before })
  if (result === undefined) return undefined
  const all = joinBy(WORK, local?.implementations ?? [], work)
  const judged = all
    .filter((one) => one.revision === revision)
    .map(({ repo_id, updated_at }) => ({ repo_id, updated_at }))
  return { result, judged }
}

function resultOf(
  given: readonly Given[],
  { local, revision, status, before }: Omit<WorkSeen, 'at'>,
): VerificationResult | undefined {
  if (local !== undefined && headOf(local).id !== revision) return undefined
  const ours = local && statusOf(local)
  const known = before.filter((form) => form.head === revision).map((form) => form.status)
  if (status === 'verified') return ours === 'verified' || known.includes('verified') ? undefined : 'success'
  const wasDone = (one: ContractStatus | undefined) => one === 'implemented' || one === 'verified'
  const isFailed = status === 'agreed' && given.some((one) => one.status === 'needs_revision')
  return isFailed && wasDone(ours) && known.some(wasDone) ? 'failure' : undefined
}
