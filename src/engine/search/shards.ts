import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch'

/** How many entries a shard has: few enough that searching it for many words delays other work only a little. */
const MOST_ENTRIES = 2000

export interface ShardsOptions<Entry> {
  readonly index: Options<Entry>
  readonly pause: () => Promise<void>
}

/**
 * A word index in shards that are searched one after the other with pauses between, because a common word can match
 * nearly every entry. Each shard computes how rare a word is by itself, so entries are spread evenly.
 */
export class SearchShards<Entry extends { readonly key: string }> {
  readonly #options: ShardsOptions<Entry>
  readonly #shards: MiniSearch<Entry>[] = []
  /** The shard of each entry, and a hash of its words: most entries that are put again have not changed. */
  readonly #located = new Map<string, { readonly shard: MiniSearch<Entry>; readonly hash: number }>()

  constructor(options: ShardsOptions<Entry>) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#located.size === 0
  }

  /** Opens enough shards for this many further entries. */
  expect(entries: number): void {
    const needed = Math.ceil((this.#located.size + entries) / MOST_ENTRIES)
    while (this.#shards.length < needed) this.#open()
  }

  has(key: string): boolean {
    return this.#located.has(key)
  }

  /** False if the same entry is there already. */
  put(entry: Entry): boolean {
    const known = this.#located.get(entry.key)
    const hash = hashOf(this.#options.index.fields.map((field) => String(entry[field as keyof Entry])))
    if (known?.hash === hash) return false
    const shard = known?.shard ?? this.#emptiest()
    if (known === undefined) shard.add(entry)
    else shard.replace(entry)
    this.#located.set(entry.key, { shard, hash })
    return true
  }

  remove(key: string): void {
    this.#located.get(key)?.shard.discard(key)
    this.#located.delete(key)
  }

  /** The best matches first, as many as are asked for, and how many there are in all. */
  async search(query: Query, limit: number, filter: (result: SearchResult) => boolean) {
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

/** A 52-bit hash of the words. */
function hashOf(words: readonly string[]): number {
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
