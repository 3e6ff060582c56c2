import MiniSearch, { type Options, type Query, type SearchResult } from 'minisearch'

/** How many entries a shard has: few enough that searching it for many words delays other work only a little. */
const MOST_ENTRIES = 2000

/**
 * A word index in shards that are searched one after the other with pauses between, because a common word can match
 * nearly every entry. Each shard computes how rare a word is by itself, so entries are spread evenly.
 */
export function createShards<Entry extends { readonly key: string }>(
  index: Options<Entry>,
  pause: () => Promise<void>,
) {
  const shards: MiniSearch<Entry>[] = []
  /** The shard of each entry, and a hash of its words: most entries that are put again have not changed. */
  const located = new Map<string, { readonly shard: MiniSearch<Entry>; readonly hash: number }>()

  return {
    /** Opens enough shards for this many entries. */
    expect(entries: number): void {
      while (shards.length < Math.ceil(entries / MOST_ENTRIES)) open()
    },

    isEmpty: (): boolean => located.size === 0,
    has: (key: string): boolean => located.has(key),

    /** False if the same entry is there already. */
    put(entry: Entry): boolean {
      const known = located.get(entry.key)
      const hash = hashOf(index.fields.map((field) => String(entry[field as keyof Entry])))
      if (known?.hash === hash) return false
      const shard = known?.shard ?? emptiest()
      if (known === undefined) shard.add(entry)
      else shard.replace(entry)
      located.set(entry.key, { shard, hash })
      return true
    },

    remove(key: string): void {
      located.get(key)?.shard.discard(key)
      located.delete(key)
    },

    /** The best matches first, as many as are asked for, and how many there are in all. */
    async search(query: Query, limit: number, filter: (result: SearchResult) => boolean) {
      let best: SearchResult[] = []
      let total = 0
      for (const [position, shard] of shards.entries()) {
        if (position > 0) await pause()
        const results = shard.search(query, { filter })
        total += results.length
        best = [...best, ...results.slice(0, limit)].sort((a, b) => b.score - a.score).slice(0, limit)
      }
      return { best, total }
    },
  }

  function emptiest(): MiniSearch<Entry> {
    let found = shards[0] ?? open()
    for (const shard of shards) if (shard.documentCount < found.documentCount) found = shard
    return found.documentCount < MOST_ENTRIES ? found : open()
  }

  function open(): MiniSearch<Entry> {
    const shard = new MiniSearch<Entry>(index)
    shards.push(shard)
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
