import MiniSearch from 'minisearch'
import type { Change } from '../domain/change.ts'
import { searchText } from '../domain/search-text.ts'
import { foldWord, wordsOf } from '../domain/search-words.ts'
import { type ChangeLog, entityKey } from './change-log.ts'

/** Entities indexed before others get their turn. */
const SLICE = 100

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

/**
 * Full-text search over all entities. It follows the log of durable changes when it is asked, in slices: a
 * daemon that nobody asks never pays for it, and one that is asked goes on answering others meanwhile.
 */
export class SearchIndex {
  readonly #log: ChangeLog
  readonly #pause: () => Promise<void>
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
  #seq = 0
  #catchingUp: Promise<void> | undefined

  constructor(log: ChangeLog, pause: () => Promise<void>) {
    this.#log = log
    this.#pause = pause
  }

  /** The best first. */
  async search({ text, limit, mayUse }: SearchQuery): Promise<readonly Found[]> {
    await this.#catchUp()
    const results = this.#index.search(text, {
      filter: (result) => mayUse(result['projectId'] as string),
    })
    return results.slice(0, limit).map((stored) => ({
      kind: stored['entity'] as Change['kind'],
      projectId: stored['projectId'] as string,
      id: stored['id'] as string,
    }))
  }

  async #catchUp(): Promise<void> {
    while (this.#seq < this.#log.seq) {
      this.#catchingUp ??= this.#indexNext().finally(() => {
        this.#catchingUp = undefined
      })
      await this.#catchingUp
    }
  }

  async #indexNext(): Promise<void> {
    const upTo = this.#log.seq
    let count = 0
    for (const change of this.#log.after(this.#seq)) {
      this.#put(change)
      if (++count % SLICE === 0) await this.#pause()
    }
    this.#seq = upTo
  }

  #put(change: Change): void {
    const key = entityKey(change)
    const { kind: entity, project_id: projectId, id } = change
    const entry: Entry = { key, entity, projectId, id, ...searchText(change) }
    if (this.#index.has(key)) this.#index.replace(entry)
    else this.#index.add(entry)
  }
}
