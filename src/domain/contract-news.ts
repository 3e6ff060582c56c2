import type { Stamp } from '../protocol/stamp.ts'
import type { BaseStatus, ContractStatus } from '../protocol/words.ts'
import { headOf, statusOf } from './contract.ts'
import { implementationStatus } from './implementation.ts'
import type { Contract, Implementation, Response, Revision, Verification } from './model.ts'

/** The last thing that somebody did about a contract. */
export type ContractEvent =
  | { readonly kind: 'revision'; readonly at: Stamp; readonly value: Revision }
  | { readonly kind: 'response'; readonly at: Stamp; readonly value: Response }
  | { readonly kind: 'implementation'; readonly at: Stamp; readonly value: Implementation }
  | { readonly kind: 'verification'; readonly at: Stamp; readonly value: Verification }

export function lastEvent(contract: Contract): ContractEvent {
  const { revisions, responses, implementations, verifications } = contract
  const head = headOf(contract)
  let last: ContractEvent = { kind: 'revision', at: head.timestamp, value: head }
  // At the same moment, what refers to the other comes later.
  const see = (event: ContractEvent) => {
    if (event.at >= last.at) last = event
  }
  for (const value of revisions.slice(0, -1))
    if (value.timestamp > last.at) see({ kind: 'revision', at: value.timestamp, value })
  for (const value of responses) see({ kind: 'response', at: value.timestamp, value })
  for (const value of implementations) see({ kind: 'implementation', at: value.updated_at, value })
  for (const value of verifications) see({ kind: 'verification', at: value.timestamp, value })
  return last
}

/** The repo that did it, and its agent where that is written down. */
export function authorOf(event: ContractEvent): { repoId: string; agentId: string | null } {
  if (event.kind === 'revision') return { repoId: event.value.proposed_by, agentId: null }
  return { repoId: event.value.repo_id, agentId: event.value.agent_id }
}

/** The status that the contract had before; undefined where it was not there yet. */
export function statusBefore(contract: Contract, event: ContractEvent): ContractStatus | undefined {
  switch (event.kind) {
    case 'revision': {
      const others = contract.revisions.filter(({ id }) => id !== event.value.id)
      return others.length === 0 ? undefined : statusOf({ ...contract, revisions: others })
    }
    case 'response': {
      const responses = contract.responses.filter((one) => one !== event.value)
      const head = headOf(contract)
      if (event.value.revision !== head.id) return statusOf(contract)
      const base = { ...head.base, value: baseAfter(responses, head.id) }
      return statusOf({ ...contract, revisions: [...contract.revisions.slice(0, -1), { ...head, base }] })
    }
    case 'implementation':
      return statusOf({
        ...contract,
        implementations: contract.implementations.filter((one) => one !== event.value),
      })
    case 'verification':
      return statusOf({
        ...contract,
        verifications: contract.verifications.filter((one) => one !== event.value),
      })
    default:
      return event satisfies never
  }
}

/** What the answers to a revision left it at; they are in order of time. */
function baseAfter(responses: readonly Response[], revision: string): BaseStatus {
  const last = responses.findLast((one) => one.revision === revision)
  if (last === undefined) return 'proposed'
  return last.action === 'agree' ? 'agreed' : 'negotiating'
}

/**
 * The newest revision that a repo had to do with: it proposed, answered, implemented or verified it, and so knows what
 * it says. Else what the head was made from; undefined where there is neither.
 */
export function knownRevision(contract: Contract, repoId: string | undefined): Revision | undefined {
  const { revisions, responses, implementations, verifications } = contract
  const touched = new Set<string>()
  for (const one of [...responses, ...implementations, ...verifications])
    if (one.repo_id === repoId) touched.add(one.revision)
  const known = revisions.findLast(({ id, proposed_by }) => proposed_by === repoId || touched.has(id))
  return known ?? revisions.find(({ id }) => id === headOf(contract).parent)
}

/** What happened, in words of ours: a fact about the contract. */
export function deedOf(contract: Contract, event: ContractEvent): string {
  switch (event.kind) {
    case 'revision': {
      if (event.value.id !== headOf(contract).id) return 'version changed elsewhere at the same time'
      return event.value.version === 1 ? 'proposed' : 'changed'
    }
    case 'response':
      return RESPONDED[event.value.action]
    case 'implementation':
      return `implementation ${implementationStatus(contract, event.value).replaceAll('_', ' ')}`
    case 'verification':
      return `verification: ${event.value.result}`
    default:
      return event satisfies never
  }
}

const RESPONDED = { agree: 'agreed', request_change: 'changes requested', reject: 'rejected' } as const

/** What its author wrote beside it. */
export function wordsOf(event: ContractEvent): string {
  switch (event.kind) {
    case 'revision':
      return event.value.change_notes
    case 'response':
      return event.value.comment
    case 'implementation':
      return event.value.notes || event.value.plan
    case 'verification':
      return event.value.notes
    default:
      return event satisfies never
  }
}
