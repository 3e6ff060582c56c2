import type { Json } from '../protocol/json.ts'
import type { EntityName } from './change.ts'
import { answer as answerKind } from './statements/answer.ts'
import { contentOf } from './statements/kind.ts'
import type { Statement } from './statements/statement.ts'
import type { ProjectView } from './view.ts'
import type { ContractEntity, PacketEntity } from './views/entities.ts'

/** What can be found: the entities, and the answers to contracts. */
export type SearchKind = 'project' | 'repo' | 'contract' | 'context' | 'response'

/** One thing as a search looks at it. */
export interface SearchText {
  readonly of: SearchKind
  readonly id: string
  /** What it is called; counts most. */
  readonly name: string
  readonly kind: string
  readonly text: string
}

/** Characters of one thing that are looked at: enough to find it by. */
const MOST = 20_000

/** What is not there any more has no words. */
export function* searchTexts({ kind, id }: EntityName, found: ProjectView): Iterable<SearchText> {
  switch (kind) {
    case 'project':
      yield { of: 'project', id, name: found.project.name, kind, text: found.project.objective }
      break
    case 'repo':
      yield repoText(id, found)
      break
    case 'contract':
      yield* contractTexts(id, found)
      break
    case 'packet':
      yield packetTextOf(id, found)
      break
    case 'receipt':
    case 'other':
      break
  }
}

function repoText(id: string, { repos }: ProjectView): SearchText {
  const repo = repos.get(id)
  const { role = '', language = '', relevant_paths = [] } = repo ?? {}
  const name = repo?.shown_name ?? ''
  return { of: 'repo', id, name, kind: 'repo', text: [role, language, ...relevant_paths].join(' ') }
}

/** Of one that was taken back, no words: it is in no list, and not to be found. */
function* contractTexts(id: string, found: ProjectView): Iterable<SearchText> {
  const contract = found.contracts.get(id)
  const isShown = contract !== undefined && !contract.is_withdrawn
  yield isShown
    ? { of: 'contract', id, name: contract.name, kind: `contract ${contract.type}`, text: contractText(contract) }
    : { of: 'contract', id, name: '', kind: 'contract', text: '' }
  for (const one of found.said.saidAbout(id, 'answer')) yield answerTextOf(one)
}

function packetTextOf(id: string, { packets }: ProjectView): SearchText {
  const packet = packets.get(id)
  const text = packet === undefined ? '' : packetText(packet)
  return { of: 'context', id, name: '', kind: packet?.type ?? '', text }
}

const answerTextOf = (statement: Statement): SearchText => {
  const { comment = '', suggested_change = null } = contentOf(answerKind, statement) ?? {}
  const kind = `response ${statement.body['action']}`
  const text = responseText({ comment, suggested_change })
  return { of: 'response', id: statement.id, name: '', kind, text }
}

export const contractText = ({ head: { content, note } }: ContractEntity): string => `${plain(content)} ${note}`

export const packetText = ({ content }: Pick<PacketEntity, 'content'>): string => plain(content)

export const responseText = ({
  comment,
  suggested_change,
}: {
  readonly comment: string
  readonly suggested_change: Json
}): string => `${comment} ${plain(suggested_change)}`.trim()

/** All keys and values of a piece of JSON, in a row. */
export function plain(value: Json | undefined, most = MOST): string {
  const words: string[] = []
  let length = 0
  const visit = (one: Json | undefined): void => {
    if (length > most || one === undefined || one === null) return
    if (typeof one === 'object') {
      for (const [key, inner] of Object.entries(one)) {
        if (!Array.isArray(one)) words.push(key)
        visit(inner as Json)
      }
      return
    }
    const text = String(one)
    length += text.length + 1
    words.push(text)
  }
  visit(value)
  return words.join(' ').slice(0, most)
}
