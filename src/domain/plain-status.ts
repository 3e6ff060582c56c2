import { type Stamp, stampAfter } from '../protocol/stamp.ts'
import type { BaseStatus, ContractStatus, ResponseAction } from '../protocol/words.ts'
import { baseOf } from './contract.ts'
import type { ContractForm, Register, Revision } from './model.ts'

/** What a plain peer's status of a known revision tells that was not known before. */
export interface StatusEdit {
  readonly action: ResponseAction
  readonly at: Stamp
  /** Undefined when the answer counts as one that was outvoted: it is kept, the status stays. */
  readonly base: Register<BaseStatus> | undefined
}

export interface StatusSeen {
  /** The revision that the peer has as its head, as it is here. */
  readonly revision: Revision
  readonly status: ContractStatus
  /** When the peer says that it was: its own stamp, which also moves when nothing changes. */
  readonly at: Stamp
  /** What the peer was known to hold before, where that was about the same revision. */
  readonly before: readonly ContractForm[]
}

/**
 * The peer says where a contract stands, never who moved it or when. It is an edit only where it differs
 * from all that the peer is known to have held; against nothing known, the document's rule of time decides.
 */
export function readStatus({ revision, status, at, before }: StatusSeen): StatusEdit | undefined {
  const { base } = revision
  const seen = baseOf(status)
  if (before.some((form) => baseOf(form.status) === seen)) return undefined
  if (before.length === 0) {
    if (seen === 'proposed' || seen === base.value) return undefined
    return { action: ACTIONS[seen], at, base: { value: seen, at } }
  }
  // Only a rejection leads back to proposed there; here a rejected contract is negotiated.
  const action = ACTIONS[seen]
  const value = seen === 'agreed' ? 'agreed' : 'negotiating'
  if (value === base.value) return undefined
  const isAnswerToOurs = before.some((form) => baseOf(form.status) === base.value)
  const isObjection = value === 'negotiating'
  if (!isAnswerToOurs && !isObjection) return { action, at, base: undefined }
  const later = stampAfter(at, base.at)
  return { action, at: later, base: { value, at: later } }
}

const ACTIONS: Record<BaseStatus, ResponseAction> = {
  agreed: 'agree',
  negotiating: 'request_change',
  proposed: 'reject',
}
