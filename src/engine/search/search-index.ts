import type { Query } from 'minisearch'
import type { Change } from '../../domain/change.ts'
import type { Found as FoundInProject } from '../../domain/search/hit.ts'
import { type SearchKind, type SearchText, searchTexts } from '../../domain/search/text.ts'
import { FORGIVEN_LENGTH, foldWord, swapped, wordsOf } from '../../domain/search/words.ts'
import { createChangeFollower } from '../log/change-follower.ts'
import type { Parts } from '../parts.ts'
import type { Background } from '../timing/background-tasks.ts'
import { createShards } from './shards.ts'

export interface Found extends FoundInProject {
  readonly kind: SearchKind
  readonly projectId: string
}

export interface SearchQuery {
  readonly text: string
  readonly limit: number
  readonly kinds: ReadonlySet<SearchKind>
  /** Which projects may be searched. */
  readonly mayUse: (projectId: string) => boolean
}

interface Entry extends SearchText {
  readonly key: string
  readonly projectId: string
  readonly entityId: string
}

const WORDS = {
  idField: 'key',
  fields: ['name', 'kind', 'text'],
  storeFields: ['of', 'projectId', 'entityId', 'id'],
  tokenize: wordsOf,
  processTerm: foldWord,
  searchOptions: {
    boost: { name: 4, kind: 2 },
    prefix: (term: string) => term.length > 2,
    // A fifth of the letters may be wrong, at least one.
    fuzzy: (term: string) => (term.length >= FORGIVEN_LENGTH ? 0.2 : false),
  },
}

/** The weight of a word that matches with two neighbouring letters swapped: the same as with one letter wrong. */
const SWAPPED_WEIGHT = 0.3

/**
 * The index counts two swapped letters as two errors, and allows only one in short words. So the swapped forms are
 * searched too.
 */
function queryFor(text: string): Query {
  const others = wordsOf(text).flatMap((word) => swapped(foldWord(word)))
  if (others.length === 0) return text
  const exactly = { fuzzy: false, prefix: false, boostTerm: () => SWAPPED_WEIGHT }
  return { combineWith: 'OR', queries: [text, { ...exactly, queries: [[...new Set(others)].join(' ')] }] }
}

/** How many characters are indexed with the effort of one usual change. */
const EFFORT = 200
/** The effort of skipping an entry that has not changed. */
const PASSING = 0.05

export type SearchIndexDeps = Pick<Parts, 'store' | 'log' | 'pause' | 'failed'>

/** Full-text search in all entities, and in the responses of contracts. */
export class SearchIndex {
  readonly #deps: SearchIndexDeps
  readonly #follower: ReturnType<typeof createChangeFollower>
  readonly #shards: ReturnType<typeof createShards<Entry>>

  constructor(deps: SearchIndexDeps) {
    this.#deps = deps
    this.#shards = createShards<Entry>(WORDS, deps.pause)
    this.#follower = createChangeFollower({ ...deps, take: (change) => this.#put(change) })
  }

  /** Indexes everything in advance, so that the first search need not. */
  warmUp(background: Background): Promise<void> {
    return this.#follower.warmUp(background)
  }

  /** The best matches first, and how many there are in all. */
  async search({ text, limit, kinds, mayUse }: SearchQuery): Promise<{ found: Found[]; total: number }> {
    await this.#follower.catchUp()
    const { best, total } = await this.#shards.search(
      queryFor(text),
      limit,
      (result) => kinds.has(result['of']) && mayUse(result['projectId']),
    )
    const found = best.map((stored) => ({
      kind: stored['of'] as SearchKind,
      projectId: stored['projectId'] as string,
      id: stored['id'] as string,
      entityId: stored['entityId'] as string,
      score: stored.score,
      terms: stored.terms,
    }))
    return { found, total }
  }

  *#put(change: Change): Iterable<number> {
    const { project_id: projectId, id: entityId } = change
    const found = this.#deps.store.view.projects.get(projectId)
    if (found === undefined) return
    // Called before the first entry, so that all entries are spread evenly.
    if (this.#shards.isEmpty()) this.#shards.expect(this.#deps.log.size)
    const keyOf = (of: SearchKind, id: string) => `${of} ${projectId} ${entityId} ${id}`
    for (const { of, id, now } of searchTexts(change, found, (of, id) => this.#shards.has(keyOf(of, id)))) {
      const key = keyOf(of, id)
      if (now === 'gone') this.#shards.remove(key)
      const isNews = typeof now === 'object' && this.#shards.put({ ...now, key, projectId, entityId })
      yield isNews ? 1 + now.text.length / EFFORT : PASSING
    }
  }
}
