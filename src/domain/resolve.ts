import { compareText } from '../protocol/canonical.ts'
import { Fault } from '../protocol/fault.ts'
import type { JsonObject } from '../protocol/json.ts'
import { type Stamp, stampAfter } from '../protocol/stamp.ts'
import { conflictsOf, contractStamp, headOf, revisionId } from './contract.ts'
import type { Contract, Revision } from './model.ts'

/** Which content ends a conflict: the head's, that of a revision that lost to it, or another one. */
export type Kept =
  | { readonly keep: 'winner' }
  | { readonly keep: 'loser'; readonly revision: string | undefined }
  | { readonly keep: 'content'; readonly content: JsonObject }

export interface Settlement {
  kept: Kept
  repoId: string
  changeNotes: string
  now: Stamp
}

/**
 * Settles every open conflict of a contract with a new version on top of the head. It starts as proposed
 * whatever the head had reached: the others agreed to one side of the conflict, not to its end.
 */
export function resolve(contract: Contract, { kept, repoId, changeNotes, now }: Settlement): Contract {
  const losers = conflictsOf(contract)
  if (losers.length === 0)
    throw new Fault('conflict', `Contract ${contract.contract_id} has no open conflict to settle`, {
      next: 'To change it call cacp/contract/update',
      data: { contractId: contract.contract_id },
    })
  const head = headOf(contract)
  const content = contentOf(kept, head, losers)
  const version = head.version + 1
  const at = stampAfter(now, contractStamp(contract))
  const settled: Revision = {
    id: revisionId(version, repoId, content),
    version,
    content,
    proposed_by: repoId,
    parent: head.id,
    resolves: losers.map((loser) => loser.id).sort(compareText),
    change_notes: changeNotes,
    timestamp: at,
    base: { value: 'proposed', at },
  }
  return { ...contract, revisions: [...contract.revisions, settled] }
}

function contentOf(kept: Kept, head: Revision, losers: readonly Revision[]): JsonObject {
  switch (kept.keep) {
    case 'winner':
      return head.content
    case 'content':
      return kept.content
    case 'loser':
      return loserNamed(kept.revision, losers).content
    default:
      return kept satisfies never
  }
}

function loserNamed(id: string | undefined, losers: readonly Revision[]): Revision {
  const [first, ...others] = id === undefined ? losers : losers.filter((loser) => loser.id === id)
  if (first !== undefined && others.length === 0) return first
  const problem = first === undefined ? 'is not one that lost' : `required: ${losers.length} revisions lost`
  throw new Fault('invalid_params', `revision ${problem}`, {
    next: 'Choose one of them; cacp/contract/get shows each under conflicts',
    data: { field: 'revision', revisions: losers.map((loser) => loser.id) },
  })
}
