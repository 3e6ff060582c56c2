import type { ResultOf } from '../../../methods/table.ts'
import type { IconName } from '../../frame/icon-paths.ts'

export type Todo = ResultOf<'cacp/person/todo'>
export type Task = Todo['person'][number]
export type AgentItem = Todo['agent'][number]
export type Wait = Todo['waiting'][number]

/** One row of the inbox, in one of its three groups. */
export type InboxRow =
  | { readonly group: 'person'; readonly id: string; readonly of: Task }
  | { readonly group: 'agent'; readonly id: string; readonly of: AgentItem }
  | { readonly group: 'waiting'; readonly id: string; readonly of: Wait }

export type Group = InboxRow['group']

export function rowsOf({ person, agent, waiting }: Todo): readonly InboxRow[] {
  return [
    ...person.map((of): InboxRow => ({ group: 'person', id: of.id, of })),
    ...agent.map((of): InboxRow => ({ group: 'agent', id: of.id, of })),
    ...waiting.map((of): InboxRow => ({ group: 'waiting', id: waitId(of), of })),
  ]
}

/** What is waited for has no id of its own. */
const waitId = ({ projectId, about, for: to }: Wait): string => `wait:${projectId}:${about.id}:${to}`

interface KindWords {
  readonly word: string
  readonly icon: IconName
  /** The form that does it, where it is not the one that is usual for its subject. */
  readonly form?: string
}

/** What somebody has to do, in a word. */
export const KIND_WORDS: Readonly<Record<Task['kind'] | AgentItem['kind'], KindWords>> = {
  approve_peer: { word: 'New peer', icon: 'peers' },
  claim_lost: { word: 'Claim lost', icon: 'key' },
  settle_claims: { word: 'Two claims', icon: 'key' },
  trust_config: { word: 'Untrusted command', icon: 'warning' },
  allow_agent: { word: 'Refused work', icon: 'hide' },
  repair: { word: 'To repair', icon: 'warning' },
  join_project: { word: 'Join', icon: 'peers' },
  answer_contract: { word: 'Answer', icon: 'contract' },
  revise_contract: { word: 'Revise', icon: 'change' },
  resolve_conflict: { word: 'Conflict', icon: 'fork' },
  start_implementation: { word: 'Build', icon: 'build' },
  complete_implementation: { word: 'Finish', icon: 'build' },
  revise_implementation: { word: 'Mend', icon: 'warning' },
  waits_for_me: { word: 'Others wait', icon: 'clock' },
  verify_contract: { word: 'Verify', icon: 'flask' },
  declare_again: { word: 'Declare files again', icon: 'flask' },
  verify_again: { word: 'Verify again', icon: 'flask' },
  answer_question: { word: 'Question', icon: 'question' },
  accept_answer: { word: 'Decide', icon: 'check', form: 'decide' },
  fulfil_file_request: { word: 'File wanted', icon: 'file', form: 'file' },
  settle_decisions: { word: 'Decisions differ', icon: 'fork', form: 'decide' },
  read_message: { word: 'Message', icon: 'message' },
}

/** What a row is about in a project; undefined: it is about this daemon or a peer. */
export function subjectOf({
  of,
}: InboxRow):
  | { readonly projectId: string; readonly kind: 'project' | 'contract' | 'packet'; readonly id: string }
  | undefined {
  if (of.about === undefined || of.projectId === undefined) return undefined
  return { projectId: of.projectId, kind: of.about.kind, id: of.about.id }
}
