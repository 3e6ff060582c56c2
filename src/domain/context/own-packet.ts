import type { ItemKind } from '../inbox/inbox.ts'
import type { InboxItem } from '../inbox/item.ts'
import type { ProjectView } from '../view.ts'
import type { By, ContractEntity, ContractHistory } from '../views/entities.ts'
import { talkAbout } from './question.ts'

/** Of what was said about a contract, so much is looked at. */
const LOOKED_AT = 200

type Said = Extract<keyof ContractHistory, 'revisions' | 'answers' | 'works' | 'verifications'>

/** By what a repo does something about a contract that it has to do; of other kinds, by anything. */
const DONE_BY: Partial<Record<ItemKind, Said>> = {
  answer_contract: 'answers',
  revise_contract: 'revisions',
  resolve_conflict: 'revisions',
  start_implementation: 'works',
  revise_implementation: 'works',
  waits_for_me: 'works',
  verify_contract: 'verifications',
}

/**
 * The id of the last thing that a repo itself said by which an item is done: another one once it has done it, and the
 * same whatever others say meanwhile. Empty where it said nothing so far.
 */
export function ownWordOn(
  { kind, about }: Pick<InboxItem, 'kind' | 'about'>,
  found: ProjectView,
  repoId: string,
): string {
  const contract = about.kind === 'contract' ? found.contracts.get(about.id) : undefined
  if (contract !== undefined) return ownWordIn(contract, DONE_BY[kind], repoId)
  const question = about.kind === 'packet' ? found.packets.get(about.id) : undefined
  return (question && talkAbout(question, found).last.get(repoId)?.packetId) ?? ''
}

function ownWordIn(contract: ContractEntity, said: Said | undefined, repoId: string): string {
  const { revisions, answers, works, verifications } = contract.recent(LOOKED_AT)
  const all = { revisions, answers, works, verifications }
  const words: readonly By[] = said === undefined ? Object.values(all).flat() : all[said]
  let last: By | undefined
  for (const one of words)
    if (one.repo_id === repoId && (last === undefined || one.timestamp > last.timestamp)) last = one
  return last?.id ?? ''
}
