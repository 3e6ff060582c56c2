import type { Packet } from '../../domain/model.ts'
import { fileNamedIn } from '../../domain/shared-file.ts'
import type { SharedEntry } from './entry.ts'
import type { FileNames } from './file-names.ts'
import { type Item, SortedShelf } from './shelf.ts'

type PacketItem = Item<Packet, SharedEntry>

/** A project's packets, which also finds the answers to one of them, and those that name a file. */
export class PacketShelf extends SortedShelf<Packet, SharedEntry> {
  readonly #replies = new PacketsBy(({ reply_to }) => reply_to)
  readonly #files = new PacketsBy(fileNamedIn)
  readonly #projectId: string
  readonly #fileNames: FileNames

  constructor(projectId: string, fileNames: FileNames) {
    super()
    this.#projectId = projectId
    this.#fileNames = fileNames
  }

  repliesTo(packetId: string): Iterable<Packet> {
    return this.#replies.with(packetId)
  }

  naming(sha256: string): Iterable<Packet> {
    return this.#files.with(sha256)
  }

  override swap(before: PacketItem | undefined, after: PacketItem | undefined): void {
    super.swap(before, after)
    this.#replies.swap(before, after)
    this.#files.swap(before, after)
    if (before !== undefined) this.#fileNames.count(this.#projectId, fileNamedIn(before.value), -1)
    if (after !== undefined) this.#fileNames.count(this.#projectId, fileNamedIn(after.value), 1)
  }
}

/** Packets that have something in common, oldest first. */
class PacketsBy {
  readonly #keyOf: (packet: Packet) => string | null
  readonly #shelves = new Map<string, SortedShelf<Packet, SharedEntry>>()

  constructor(keyOf: (packet: Packet) => string | null) {
    this.#keyOf = keyOf
  }

  with(key: string): Iterable<Packet> {
    return this.#shelves.get(key)?.oldestFirst() ?? []
  }

  swap(before: PacketItem | undefined, after: PacketItem | undefined): void {
    this.#shelfOf(before)?.swap(before, undefined)
    this.#shelfOf(after)?.swap(undefined, after)
  }

  #shelfOf(item: PacketItem | undefined): SortedShelf<Packet, SharedEntry> | undefined {
    const key = item === undefined ? null : this.#keyOf(item.value)
    if (key === null) return undefined
    const shelf = this.#shelves.get(key) ?? new SortedShelf<Packet, SharedEntry>()
    this.#shelves.set(key, shelf)
    return shelf
  }
}
