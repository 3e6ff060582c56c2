import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch'

/** Entries of one shard: looking through so many for many words keeps nobody waiting for long. */
const MOST_ENTRIES = 2000

export interface ShardsOptions<Entry> {
  readonly index: Options<Entry>
  readonly pause: () => Promise<void>
}

export interface Looked {
  /** The best first, as many as were asked for. */
  readonly best: SearchResult[]
  /** How many there are in all. */
  readonly total: number
}

/**
 * An index of words in parts, which are looked through one after the other: a search looks at all that has one of its
 * words, and a word may be in nearly everything. What is rare is judged part by part, so entries are spread evenly.
 */
export class SearchShards<Entry extends { readonly key: string }> {
  readonly #options: ShardsOptions<Entry>
  readonly #shards: MiniSearch<Entry>[] = []
  /** Where each entry is, and a mark of its words: most of what is looked at again is as it was. */
  readonly #places = new Map<string, { readonly shard: MiniSearch<Entry>; readonly mark: number }>()

  constructor(options: ShardsOptions<Entry>) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  /** So many entries are about to come. */
  expect(entries: number): void {
    const needed = Math.ceil((this.#places.size + entries) / MOST_ENTRIES)
    while (this.#shards.length < needed) this.#open()
  }

  has(key: string): boolean {
    return this.#places.has(key)
  }

  /** False where the same was put before. */
  put(entry: Entry): boolean {
    const known = this.#places.get(entry.key)
    const mark = markOf(this.#options.index.fields.map((field) => String(entry[field as keyof Entry])))
    if (known?.mark === mark) return false
    const shard = known?.shard ?? this.#emptiest()
    if (known === undefined) shard.add(entry)
    else shard.replace(entry)
    this.#places.set(entry.key, { shard, mark })
    return true
  }

  remove(key: string): void {
    this.#places.get(key)?.shard.discard(key)
    this.#places.delete(key)
  }

  async search(query: Query, limit: number, filter: (result: SearchResult) => boolean): Promise<Looked> {
    let best: SearchResult[] = []
    let total = 0
    for (const [index, shard] of this.#shards.entries()) {
      if (index > 0) await this.#options.pause()
      const results = shard.search(query, { filter })
      total += results.length
      best = [...best, ...results.slice(0, limit)].sort((a, b) => b.score - a.score).slice(0, limit)
    }
    return { best, total }
  }

  #emptiest(): MiniSearch<Entry> {
    let emptiest = this.#shards[0] ?? this.#open()
    for (const shard of this.#shards) if (shard.documentCount < emptiest.documentCount) emptiest = shard
    return emptiest.documentCount < MOST_ENTRIES ? emptiest : this.#open()
  }

  #open(): MiniSearch<Entry> {
    const shard = new MiniSearch<Entry>(this.#options.index)
    this.#shards.push(shard)
    return shard
  }
}

/** A number that is another one for other words, but for one time in 2^52. */
function markOf(words: readonly string[]): number {
  let [low, high] = [0, 0]
  for (const word of words) {
    for (let index = 0; index < word.length; index++) {
      const code = word.charCodeAt(index)
      low = (Math.imul(low, 31) + code) | 0
      high = (Math.imul(high, 131) ^ code) | 0
    }
    low = (low + 0x9e3779b9) | 0
    high = Math.imul(high ^ 0x85ebca6b, 0xc2b2ae35) | 0
  }
  return (low >>> 0) * 0x100000 + ((high >>> 0) & 0xfffff)
}
