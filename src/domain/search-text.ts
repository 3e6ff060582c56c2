import type { Json } from '../protocol/json.ts'
import type { Change } from './change.ts'
import { headOf } from './contract.ts'
import type { Contract, Packet, Response } from './model.ts'

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

export function searchTexts({ kind, id, value }: Change): SearchText[] {
  switch (kind) {
    case 'project':
      return [{ of: 'project', id, name: value.name.value, kind, text: value.objective.value }]
    case 'repo': {
      const { role, language, relevant_paths } = value.about.value
      return [{ of: 'repo', id, name: value.name, kind, text: [role, language, ...relevant_paths].join(' ') }]
    }
    case 'contract': {
      const { name, type, responses } = value
      const own = { of: kind, id, name, kind: `contract ${type}`, text: contractText(value) }
      return [own, ...responses.map(searchTextOfResponse)]
    }
    case 'packet':
      return [{ of: 'context', id, name: '', kind: value.type, text: packetText(value) }]
    case 'receipt':
      return []
  }
}

const searchTextOfResponse = (response: Response): SearchText => ({
  of: 'response',
  id: response.response_id,
  name: '',
  kind: `response ${response.action}`,
  text: responseText(response),
})

export function contractText(contract: Contract): string {
  const { content, change_notes } = headOf(contract)
  return `${plain(content)} ${change_notes}`
}

export const packetText = ({ content }: Packet): string => plain(content)

export const responseText = ({ comment, suggested_change }: Response): string =>
  `${comment} ${plain(suggested_change)}`

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
