import type { Json } from '../protocol/json.ts'
import type { Change } from './change.ts'
import { headOf } from './contract.ts'

/** One entity as a search looks at it. */
export interface SearchText {
  /** What it is called; counts most. */
  readonly name: string
  readonly kind: string
  readonly text: string
}

/** Characters of one entity that are looked at: enough to find it by. */
const MOST = 20_000

export function searchText(change: Change): SearchText {
  switch (change.kind) {
    case 'project':
      return { name: change.value.name.value, kind: 'project', text: change.value.objective.value }
    case 'repo': {
      const { role, language, relevant_paths } = change.value.about.value
      return { name: change.value.name, kind: 'repo', text: [role, language, ...relevant_paths].join(' ') }
    }
    case 'contract': {
      const { name, type } = change.value
      const { content, change_notes } = headOf(change.value)
      return { name, kind: `contract ${type}`, text: `${plain(content)} ${change_notes}` }
    }
    case 'packet':
      return { name: '', kind: change.value.type, text: plain(change.value.content) }
  }
}

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
