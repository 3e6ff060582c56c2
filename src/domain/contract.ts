import { compareText, hashOf } from '../protocol/canonical.ts'
import { Fault } from '../protocol/fault.ts'
import type { JsonObject } from '../protocol/json.ts'
import { type Stamp, stampAfter } from '../protocol/stamp.ts'
import type { BaseStatus, ContractStatus, ContractType, ResponseAction } from '../protocol/words.ts'
import { isImplemented, isVerified } from './implementation.ts'
import type { Contract, Response, Revision } from './model.ts'

export type Action = ResponseAction | 'update' | 'start' | 'complete' | 'verify'

/** What may be done in which status, and the base status it leaves behind. A missing cell is a conflict. */
const NEXT: Record<ContractStatus, Partial<Record<Action, BaseStatus>>> = {
  proposed: { agree: 'agreed', request_change: 'negotiating', reject: 'negotiating', update: 'proposed' },
  negotiating: { agree: 'agreed', request_change: 'negotiating', reject: 'negotiating', update: 'proposed' },
  agreed: { request_change: 'negotiating', reject: 'negotiating', start: 'agreed', complete: 'agreed' },
  implemented: { request_change: 'negotiating', start: 'agreed', verify: 'agreed' },
  verified: { request_change: 'negotiating' },
}

/** The way back for somebody who tried what the status does not allow. */
const HINTS: Record<Action, string> = {
  agree: 'Only a proposed or negotiating contract can be agreed',
  request_change: 'Read it with cacp/contract/get',
  reject: 'Ask for changes with action request_change instead',
  update:
    'Call cacp/contract/respond with action request_change first; an agreed contract changes only by negotiation',
  start: 'It must be agreed first (cacp/contract/respond with action agree)',
  complete: 'It must be agreed and started first (cacp/implementation/start)',
  verify: 'Every party must complete its implementation first (cacp/implementation/complete)',
}

/** The base status that an action leads to, or a conflict when the contract's status does not allow it. */
export function nextBase(contract: Contract, action: Action): BaseStatus {
  const status = statusOf(contract)
  const next = NEXT[status][action]
  if (next !== undefined) return next
  throw new Fault('conflict', `Cannot ${action} contract ${contract.contract_id}: it is ${status}`, {
    next: HINTS[action],
    data: { contractId: contract.contract_id, contractStatus: status },
  })
}

/** The document's rule (version, then time), and the tie-break without which two replicas differ for ever. */
export function byPrecedence(a: Revision, b: Revision): number {
  return a.version - b.version || compareText(a.timestamp, b.timestamp) || compareText(a.id, b.id)
}

export function headOf(contract: Contract): Revision {
  const head = contract.revisions.at(-1)
  if (head === undefined) throw new TypeError('a contract has at least one revision')
  return head
}

/** Implemented and verified follow from the work done on the head; nobody sets them. */
export function statusOf(contract: Contract): ContractStatus {
  const head = headOf(contract)
  if (head.base.value !== 'agreed' || !isImplemented(contract, head.id)) return head.base.value
  return isVerified(contract, head.id) ? 'verified' : 'implemented'
}

/** What somebody must have decided for a contract to have this status. */
export const baseOf = (status: ContractStatus): BaseStatus =>
  status === 'implemented' || status === 'verified' ? 'agreed' : status

/** Revisions that nobody built on or settled, besides the head: the other sides of concurrent updates. */
export function conflictsOf(contract: Contract): Revision[] {
  const settled = new Set(contract.revisions.flatMap((revision) => [revision.parent, ...revision.resolves]))
  return contract.revisions.slice(0, -1).filter((revision) => !settled.has(revision.id))
}

export function contractStamp(contract: Contract): Stamp {
  const { created_at, revisions, responses, implementations, verifications } = contract
  let newest = created_at
  const see = (stamp: Stamp) => {
    if (stamp > newest) newest = stamp
  }
  for (const { timestamp, base } of revisions) {
    see(timestamp)
    see(base.at)
  }
  for (const { timestamp } of responses) see(timestamp)
  for (const { updated_at } of implementations) see(updated_at)
  for (const { timestamp } of verifications) see(timestamp)
  return newest
}

export const revisionId = (version: number, proposedBy: string, content: JsonObject): string =>
  hashOf([version, proposedBy, content])

export interface Proposal {
  id: string
  type: ContractType
  name: string
  content: JsonObject
  /** repo_id of the proposer */
  repoId: string
  parties: readonly string[]
  now: Stamp
}

export function newContract({ id, type, name, content, repoId, parties, now }: Proposal): Contract {
  const first: Revision = {
    id: revisionId(1, repoId, content),
    version: 1,
    content,
    proposed_by: repoId,
    parent: null,
    resolves: [],
    change_notes: '',
    timestamp: now,
    base: { value: 'proposed', at: now },
  }
  return {
    contract_id: id,
    type,
    name,
    created_at: now,
    parties: [...parties].sort(compareText),
    revisions: [first],
    responses: [],
    implementations: [],
    verifications: [],
    extra: {},
  }
}

export type NewResponse = Omit<Response, 'revision' | 'version' | 'timestamp'>

/** Records an answer to the head and moves its base status. */
export function respond(contract: Contract, answer: NewResponse, now: Stamp): Contract {
  const head = headOf(contract)
  const base = nextBase(contract, answer.action)
  const at = stampAfter(now, contractStamp(contract))
  return {
    ...withHead(contract, { ...head, base: { value: base, at } }),
    responses: [
      ...contract.responses,
      { ...answer, revision: head.id, version: head.version, timestamp: at },
    ],
  }
}

export interface Update {
  content: JsonObject
  repoId: string
  changeNotes: string
  now: Stamp
}

/** A new version on top of the head. */
export function revise(contract: Contract, { content, repoId, changeNotes, now }: Update): Contract {
  const head = headOf(contract)
  const base = nextBase(contract, 'update')
  const at = stampAfter(now, contractStamp(contract))
  const version = head.version + 1
  const next: Revision = {
    id: revisionId(version, repoId, content),
    version,
    content,
    proposed_by: repoId,
    parent: head.id,
    resolves: [],
    change_notes: changeNotes,
    timestamp: at,
    base: { value: base, at },
  }
  return { ...contract, revisions: [...contract.revisions, next] }
}

function withHead(contract: Contract, head: Revision): Contract {
  return { ...contract, revisions: [...contract.revisions.slice(0, -1), head] }
}
