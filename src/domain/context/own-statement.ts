import type { ItemKind } from '../inbox/inbox.ts'
import type { InboxItem } from '../inbox/item-shape.ts'
import type { ProjectView } from '../view.ts'
import type { By, ContractEntity, ContractHistory } from '../views/entities.ts'
import { talkAbout } from './question.ts'

const MOST_STATEMENTS_SEARCHED = 200

type Said = Extract<keyof ContractHistory, 'revisions' | 'answers' | 'works' | 'verifications'>

/** The kind of statement that completes an inbox item about a contract; for other items, any kind. */
const DONE_BY: Partial<Record<ItemKind, Said>> = {
  answer_contract: 'answers',
  revise_contract: 'revisions',
  resolve_conflict: 'revisions',
  start_implementation: 'works',
  revise_implementation: 'works',
  waits_for_me: 'works',
  declare_again: 'works',
  verify_contract: 'verifications',
  verify_again: 'verifications',
}

/**
 * The id of the newest statement of a repo that could complete an item: it changes when the repo completes the item,
 * and not when others make statements. Empty if there is none.
 */
export function newestOwnStatement(
  { kind, about }: Pick<InboxItem, 'kind' | 'about'>,
  found: ProjectView,
  repoId: string,
): string {
  const contract = about.kind === 'contract' ? found.contracts.get(about.id) : undefined
  if (contract !== undefined) return newestOwnIn(contract, DONE_BY[kind], repoId)
  const question = about.kind === 'packet' ? found.packets.get(about.id) : undefined
  return (question && talkAbout(question, found).last.get(repoId)?.packetId) ?? ''
}

function newestOwnIn(contract: ContractEntity, said: Said | undefined, repoId: string): string {
  const { revisions, answers, works, verifications } = contract.recent(MOST_STATEMENTS_SEARCHED)
  const all = { revisions, answers, works, verifications }
  const words: readonly By[] = said === undefined ? Object.values(all).flat() : all[said]
  let last: By | undefined
  for (const one of words)
    if (one.repo_id === repoId && (last === undefined || one.timestamp > last.timestamp)) last = one
  return last?.id ?? ''
}
