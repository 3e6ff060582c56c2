import type { Json } from '../../protocol/json/json.ts'
import type { EntityName } from '../change.ts'
import { answer as answerKind } from '../statements/answer.ts'
import { contentOf } from '../statements/kind.ts'
import type { Statement } from '../statements/statement.ts'
import type { ProjectView } from '../view.ts'
import type { AnswerEntity, ContractEntity, RepoEntity } from '../views/entities.ts'

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

const MOST_CHARACTERS_INDEXED = 20_000

/** The present text of something to index: `gone` removes it from the index, `same` leaves it unchanged. */
interface Looked {
  readonly of: SearchKind
  readonly id: string
  readonly now: SearchText | 'gone' | 'same'
}

/** The texts of an entity to index. Answers change by redaction only: `isKnown` tells which are indexed already. */
export function* searchTexts(
  { kind, id }: EntityName,
  found: ProjectView,
  isKnown: (of: SearchKind, id: string) => boolean = () => false,
): Iterable<Looked> {
  switch (kind) {
    case 'project':
      yield looked({ of: 'project', id }, { name: found.project.name, kind, text: found.project.objective })
      break
    case 'repo':
      yield looked({ of: 'repo', id }, repoText(found.repos.get(id)))
      break
    case 'contract':
      yield looked({ of: 'contract', id }, ownText(found.contracts.get(id)))
      for (const one of found.said.saidAbout(id, 'answer'))
        yield one.content !== undefined && isKnown('response', one.id)
          ? { of: 'response', id: one.id, now: 'same' }
          : looked({ of: 'response', id: one.id }, answerText(one))
      break
    case 'packet': {
      const { content, type: kind = '' } = found.packets.get(id) ?? {}
      yield looked({ of: 'context', id }, content ? { name: '', kind, text: plain(content) } : undefined)
      break
    }
    case 'receipt':
    case 'other':
      break
  }
}

/** An entity that is gone or redacted has no text. */
const looked = (name: Pick<SearchText, 'of' | 'id'>, text: OwnText | undefined): Looked => ({
  ...name,
  now: text === undefined ? 'gone' : { ...name, ...text },
})

type OwnText = Pick<SearchText, 'name' | 'kind' | 'text'>

function repoText(repo: RepoEntity | undefined): OwnText | undefined {
  if (repo === undefined) return undefined
  const { shown_name: name, role, language, relevant_paths } = repo
  return { name, kind: 'repo', text: [role, language, ...relevant_paths].join(' ') }
}

function ownText(contract: ContractEntity | undefined): OwnText | undefined {
  if (contract === undefined || contract.is_withdrawn) return undefined
  const { name, type } = contract
  return { name, kind: `contract ${type}`, text: contractText(contract) }
}

function answerText(statement: Statement): OwnText | undefined {
  const said = contentOf(answerKind, statement)
  return said && { name: '', kind: `response ${statement.body['action']}`, text: responseText(said) }
}

export const contractText = ({ head: { content, note } }: ContractEntity): string =>
  `${plain(content)} ${note}`

export const responseText = (said: Pick<AnswerEntity, 'comment' | 'suggested_change'>): string =>
  `${said.comment} ${plain(said.suggested_change)}`.trim()

/** All keys and values of a JSON value, joined by blanks. */
export function plain(value: Json | undefined, most = MOST_CHARACTERS_INDEXED): string {
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
