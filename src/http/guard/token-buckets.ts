/** How many callers are remembered at least. Whoever is forgotten begins with a full bucket. */
const REMEMBERED = 10_000

interface Bucket {
  tokens: number
  at: number
}

/**
 * One bucket per caller: it fills steadily and every call takes one out. The table is bounded by having two halves:
 * when the younger one is full the older one is forgotten, so no caller is looked for to make room.
 */
export class TokenBuckets {
  readonly #perMilli: number
  readonly #most: number
  readonly #now: () => number
  #young = new Map<string, Bucket>()
  #old = new Map<string, Bucket>()

  constructor(perMilli: number, most: number, now: () => number) {
    this.#perMilli = perMilli
    this.#most = most
    this.#now = now
  }

  /** 0 when a token was taken, or else in how many milliseconds there will be one. */
  take(key: string): number {
    const now = this.#now()
    const bucket = this.#young.get(key) ?? this.#remember(key, now)
    const tokens = Math.min(this.#most, bucket.tokens + (now - bucket.at) * this.#perMilli)
    bucket.at = now
    bucket.tokens = tokens < 1 ? tokens : tokens - 1
    return tokens < 1 ? (1 - tokens) / this.#perMilli : 0
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  #remember(key: string, now: number): Bucket {
    if (this.#young.size >= REMEMBERED) {
      this.#old = this.#young
      this.#young = new Map()
    }
    const bucket = this.#old.get(key) ?? { tokens: this.#most, at: now }
    this.#old.delete(key)
    this.#young.set(key, bucket)
    return bucket
  }
}
