import MiniSearch from 'minisearch'
import type { Change } from '../domain/change.ts'
import { searchText } from '../domain/search-text.ts'
import { foldWord, wordsOf } from '../domain/search-words.ts'
import { ChangeFollower } from './change-follower.ts'
import { type ChangeLog, entityKey } from './change-log.ts'

export interface Found {
  readonly kind: Change['kind']
  readonly projectId: string
  readonly id: string
}

export interface SearchQuery {
  readonly text: string
  readonly limit: number
  /** Which projects may be looked into. */
  readonly mayUse: (projectId: string) => boolean
}

interface Entry {
  readonly key: string
  readonly entity: Change['kind']
  readonly projectId: string
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly text: string
}

/** Full-text search over all entities. */
export class SearchIndex {
  readonly #follower: ChangeFollower
  readonly #index = new MiniSearch<Entry>({
    idField: 'key',
    fields: ['name', 'kind', 'text'],
    storeFields: ['entity', 'projectId', 'id'],
    tokenize: wordsOf,
    processTerm: foldWord,
    searchOptions: {
      boost: { name: 4, kind: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })

  constructor(log: ChangeLog, pause: () => Promise<void>) {
    this.#follower = new ChangeFollower({ log, pause, take: (change) => this.#put(change) })
  }

  /** The best first. */
  async search({ text, limit, mayUse }: SearchQuery): Promise<readonly Found[]> {
    await this.#follower.catchUp()
    const results = this.#index.search(text, {
      filter: (result) => mayUse(result['projectId'] as string),
    })
    return results.slice(0, limit).map((stored) => ({
      kind: stored['entity'] as Change['kind'],
      projectId: stored['projectId'] as string,
      id: stored['id'] as string,
    }))
  }

  #put(change: Change): void {
    const key = entityKey(change)
    const { kind: entity, project_id: projectId, id } = change
    const entry: Entry = { key, entity, projectId, id, ...searchText(change) }
    if (this.#index.has(key)) this.#index.replace(entry)
    else this.#index.add(entry)
  }
}
