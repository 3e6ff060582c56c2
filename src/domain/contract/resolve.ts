import { Fault } from '../../protocol/fault.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ContractEntity, RevisionEntity } from '../views/entities.ts'

/** Which content ends a conflict: the head's, that of a conflicting revision, or another one. */
export type Kept =
  | { readonly keep: 'winner' }
  | { readonly keep: 'loser'; readonly revision: string | undefined }
  | { readonly keep: 'content'; readonly content: JsonObject }

/**
 * The new version that ends the open conflicts of a contract. It needs the agreement of the other parties again: they
 * agreed to one side of the conflict at most.
 */
export function resolutionOf({ head, conflicts }: ContractEntity, kept: Kept) {
  const side = kept.keep === 'loser' ? loserNamed(kept.revision, conflicts) : head
  return {
    content: kept.keep === 'content' ? kept.content : contentOf(side),
    parties: side.parties,
    // As many as one version can merge.
    resolves: conflicts
      .slice(-LIMITS.listItems)
      .map(({ id }) => id)
      .sort(compareText),
  }
}

function contentOf({ content, version }: RevisionEntity): JsonObject {
  if (content !== null) return content
  throw new Fault('conflict', `The content of that version ${version} was taken away`, {
    next: 'Send another one with keep content',
    data: { field: 'keep' },
  })
}

function loserNamed(id: string | undefined, losers: readonly RevisionEntity[]): RevisionEntity {
  const [first, ...others] = id === undefined ? losers : losers.filter((loser) => loser.id === id)
  if (first !== undefined && others.length === 0) return first
  const problem = first === undefined ? 'is not one that lost' : `required: ${losers.length} revisions lost`
  throw new Fault('invalid_params', `revision ${problem}`, {
    next: 'Choose one of them; cacp/contract/get shows each under conflicts',
    data: { field: 'revision', revisions: losers.map((loser) => loser.id) },
  })
}
