import { createHash } from 'node:crypto'
import type { Change } from '../../domain/change.ts'
import { canonicalText } from '../../protocol/canonical.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'

/** Hex digits of an entity's hash: enough that two different ones never meet by chance. */
const HASH_DIGITS = 32
/** Entities hashed before others get their turn. */
const SLICE = 100

/**
 * Hashes of all entities, and per project all of them in one. They follow the log when they are asked for,
 * so a daemon that nobody compares itself with never pays for them.
 */
export class Digests {
  readonly #log: ChangeLog
  readonly #pause: () => Promise<void>
  readonly #projects = new Map<string, Map<string, string>>()
  readonly #totals = new Map<string, bigint>()
  #seq = 0
  #catchingUp: Promise<void> | undefined

  /** `pause` lets others have their turn while very many entities are hashed. */
  constructor(log: ChangeLog, pause: () => Promise<void>) {
    this.#log = log
    this.#pause = pause
  }

  /** The projects that have anything, each with its digest, up to the present state of the log. */
  async totals(): Promise<ReadonlyMap<string, { digest: string; count: number }>> {
    await this.#catchUp()
    return new Map(
      Array.from(this.#totals, ([id, total]) => [
        id,
        { digest: toHex(total), count: this.#hashesOf(id).size },
      ]),
    )
  }

  /** Hash by entity key, of one project. */
  async hashes(projectId: string): Promise<ReadonlyMap<string, string>> {
    await this.#catchUp()
    return this.#hashesOf(projectId)
  }

  async #catchUp(): Promise<void> {
    while (this.#seq < this.#log.seq) {
      this.#catchingUp ??= this.#hashNext().finally(() => {
        this.#catchingUp = undefined
      })
      await this.#catchingUp
    }
  }

  async #hashNext(): Promise<void> {
    const upTo = this.#log.seq
    let hashed = 0
    for (const change of this.#log.after(this.#seq)) {
      this.#put(change)
      if (++hashed % SLICE === 0) await this.#pause()
    }
    this.#seq = upTo
  }

  #put(change: Change): void {
    const { project_id: projectId } = change
    const hashes = this.#hashesOf(projectId)
    const before = hashes.get(entityKey(change))
    const after = hashOf(change.value)
    hashes.set(entityKey(change), after)
    const known = this.#totals.get(projectId) ?? 0n
    this.#totals.set(projectId, known ^ (before === undefined ? 0n : fromHex(before)) ^ fromHex(after))
  }

  #hashesOf(projectId: string): Map<string, string> {
    const known = this.#projects.get(projectId)
    if (known !== undefined) return known
    const fresh = new Map<string, string>()
    this.#projects.set(projectId, fresh)
    return fresh
  }
}

/** Natively, because at a first meeting there are as many to hash as there are entities. */
const hashOf = (value: Change['value']): string =>
  createHash('sha256').update(canonicalText(value)).digest('hex').slice(0, HASH_DIGITS)

const fromHex = (hash: string): bigint => BigInt(`0x${hash}`)
const toHex = (total: bigint): string => total.toString(16).padStart(HASH_DIGITS, '0')

/** The digest of each bucket, when the entities are dealt into so many by their keys. */
export function bucketDigests(hashes: ReadonlyMap<string, string>, count: number): string[] {
  const totals = Array.from({ length: count }, () => 0n)
  for (const [key, hash] of hashes) {
    const bucket = bucketOf(key, count)
    totals[bucket] = (totals[bucket] ?? 0n) ^ fromHex(hash)
  }
  return totals.map(toHex)
}

/** FNV-1a: cheap, and the same on every machine. */
export function bucketOf(key: string, count: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % count
}
