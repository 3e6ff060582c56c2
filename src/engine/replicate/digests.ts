import type { Change } from '../../domain/change.ts'
import { hashOf } from '../../protocol/canonical.ts'
import { ChangeFollower } from '../change-follower.ts'
import { type ChangeLog, entityKey } from '../change-log.ts'

/** Hex digits of an entity's hash: enough that two different ones never meet by chance. */
const HASH_DIGITS = 32

/** Hashes of all entities, and per project all of them in one. */
export class Digests {
  readonly #follower: ChangeFollower
  readonly #projects = new Map<string, Map<string, string>>()
  readonly #totals = new Map<string, bigint>()

  /** `pause` lets others have their turn while very many entities are hashed. */
  constructor(log: ChangeLog, pause: () => Promise<void>, failed?: (error: unknown) => void) {
    this.#follower = new ChangeFollower({ log, pause, take: (change) => this.#put(change), failed })
  }

  /** The projects that have anything, each with its digest, up to the present state of the log. */
  async totals(): Promise<ReadonlyMap<string, { digest: string; count: number }>> {
    await this.#follower.catchUp()
    return new Map(
      Array.from(this.#totals, ([id, total]) => [
        id,
        { digest: toHex(total), count: this.#hashesOf(id).size },
      ]),
    )
  }

  /** Hash by entity key, of one project. One that is not here is not kept: peers can name any number of them. */
  async hashes(projectId: string): Promise<ReadonlyMap<string, string>> {
    await this.#follower.catchUp()
    return this.#projects.get(projectId) ?? new Map()
  }

  #put(change: Change): void {
    const { project_id: projectId } = change
    const hashes = this.#hashesOf(projectId)
    const before = hashes.get(entityKey(change))
    const after = shortHashOf(change.value)
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

const shortHashOf = (value: Change['value']): string => hashOf(value).slice(0, HASH_DIGITS)

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
