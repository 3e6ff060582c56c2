/** How many callers are remembered at least. Whoever is forgotten begins with a full bucket. */
const REMEMBERED = 10_000

interface Bucket {
  tokens: number
  at: number
}

export type TokenBuckets = ReturnType<typeof createTokenBuckets>

/**
 * One bucket per caller: it fills steadily and every call takes one out. The table is bounded by having two halves:
 * when the younger one is full the older one is forgotten, so no caller is looked for to make room.
 */
export function createTokenBuckets(perMilli: number, most: number, readTime: () => number) {
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()

  function remember(key: string, now: number): Bucket {
    if (young.size >= REMEMBERED) {
      old = young
      young = new Map()
    }
    const bucket = old.get(key) ?? { tokens: most, at: now }
    old.delete(key)
    young.set(key, bucket)
    return bucket
  }

  return {
    /** 0 when a token was taken, or else in how many milliseconds there will be one. */
    take(key: string): number {
      const now = readTime()
      const bucket = young.get(key) ?? remember(key, now)
      const tokens = Math.min(most, bucket.tokens + (now - bucket.at) * perMilli)
      bucket.at = now
      bucket.tokens = tokens < 1 ? tokens : tokens - 1
      return tokens < 1 ? (1 - tokens) / perMilli : 0
    },
    get size(): number {
      return young.size + old.size
    },
  }
}
