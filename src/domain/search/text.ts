import type { Json } from '../../protocol/json/json.ts'
import type { EntityName } from '../change.ts'
import { answer as answerKind } from '../statements/answer.ts'
import { contentOf } from '../statements/kind.ts'
import type { Statement } from '../statements/statement.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity } from '../views/entities.ts'

/** What can be found: entities, and answers to contracts. */
export type SearchKind = 'project' | 'repo' | 'contract' | 'context' | 'response'

/** The searchable text of one thing. */
export interface SearchText {
  readonly of: SearchKind
  readonly id: string
  /** Its name, which counts most. */
  readonly name: string
  readonly kind: string
  readonly text: string
}

/** Most characters indexed of one thing. */
const MOST = 20_000

/** An entity that is gone or redacted has no text. */
const isEmpty = ({ name, kind, text }: SearchText): boolean => name === '' && kind === '' && text === ''

/** The present text of something to index: `gone` removes it from the index, `same` leaves it unchanged. */
export interface Looked {
  readonly of: SearchKind
  readonly id: string
  readonly now: SearchText | 'gone' | 'same'
}

/**
 * The texts of an entity to index. The text of an answer never changes, except by redaction: `isKnown` tells which
 * are indexed already.
 */
export function* searchTexts(
  { kind, id }: EntityName,
  found: ProjectView,
  isKnown: (of: SearchKind, id: string) => boolean = () => false,
): Iterable<Looked> {
  switch (kind) {
    case 'project':
      yield looked({ of: 'project', id, name: found.project.name, kind, text: found.project.objective })
      break
    case 'repo':
      yield looked(repoText(id, found))
      break
    case 'contract':
      yield looked(ownText(id, found))
      for (const one of found.said.saidAbout(id, 'answer'))
        yield one.content !== undefined && isKnown('response', one.id)
          ? { of: 'response', id: one.id, now: 'same' }
          : looked(answerText(one))
      break
    case 'packet':
      yield looked(packetTextOf(id, found))
      break
    case 'receipt':
    case 'other':
      break
  }
}

const looked = (text: SearchText): Looked => ({
  of: text.of,
  id: text.id,
  now: isEmpty(text) ? 'gone' : text,
})

function repoText(id: string, { repos }: ProjectView): SearchText {
  const repo = repos.get(id)
  if (repo === undefined) return { of: 'repo', id, name: '', kind: '', text: '' }
  const { shown_name: name, role, language, relevant_paths } = repo
  return { of: 'repo', id, name, kind: 'repo', text: [role, language, ...relevant_paths].join(' ') }
}

function ownText(id: string, { contracts }: ProjectView): SearchText {
  const contract = contracts.get(id)
  if (contract === undefined || contract.is_withdrawn)
    return { of: 'contract', id, name: '', kind: '', text: '' }
  const { name, type } = contract
  return { of: 'contract', id, name, kind: `contract ${type}`, text: contractText(contract) }
}

function packetTextOf(id: string, { packets }: ProjectView): SearchText {
  const { content = null, type = '' } = packets.get(id) ?? {}
  return { of: 'context', id, name: '', kind: content === null ? '' : type, text: plain(content) }
}

function answerText(statement: Statement): SearchText {
  const said = contentOf(answerKind, statement)
  const kind = said === undefined ? '' : `response ${statement.body['action']}`
  return {
    of: 'response',
    id: statement.id,
    name: '',
    kind,
    text: said === undefined ? '' : responseText(said),
  }
}

export const contractText = ({ head: { content, note } }: ContractEntity): string =>
  `${plain(content)} ${note}`

export const packetText = ({ content }: Pick<PacketEntity, 'content'>): string => plain(content)

export const responseText = ({
  comment,
  suggested_change,
}: {
  readonly comment: string
  readonly suggested_change: Json
}): string => `${comment} ${plain(suggested_change)}`.trim()

/** All keys and values of a JSON value, joined by blanks. */
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
