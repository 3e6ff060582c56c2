import { fileNamedIn } from '../../domain/shared-file.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'
import type { FileNames } from './file-names.ts'
import { FoldedShelf } from './folded-shelf.ts'

/** A project's packets, which also finds the answers to one of them, and those that name a file. */
export class PacketShelf extends FoldedShelf<PacketEntity> {
  readonly #fold: (id: string) => PacketEntity | undefined
  readonly #replies = new Map<string, FoldedShelf<PacketEntity>>()
  readonly #files = new Map<string, FoldedShelf<PacketEntity>>()
  /** What each packet is found by. */
  readonly #keys = new Map<string, Keys>()
  readonly #projectId: string
  readonly #fileNames: FileNames

  constructor(fold: (id: string) => PacketEntity | undefined, projectId: string, fileNames: FileNames) {
    super(fold)
    this.#fold = fold
    this.#projectId = projectId
    this.#fileNames = fileNames
  }

  repliesTo(packetId: string): Iterable<PacketEntity> {
    return this.#replies.get(packetId)?.oldestFirst() ?? []
  }

  naming(sha256: string): Iterable<PacketEntity> {
    return this.#files.get(sha256)?.oldestFirst() ?? []
  }

  /** The packet is new or another one than before. */
  look(id: string): void {
    const packet = this.#fold(id)
    this.#forget(id)
    if (packet === undefined) return this.remove(id)
    this.place(id, packet.timestamp)
    const keys = { reply_to: packet.reply_to, file: fileNamedIn(packet) }
    this.#keys.set(id, keys)
    if (keys.reply_to !== null) this.#enter(this.#replies, keys.reply_to, packet)
    if (keys.file !== null) this.#enter(this.#files, keys.file, packet)
    this.#fileNames.count(this.#projectId, keys.file, 1)
  }

  #enter(by: Map<string, FoldedShelf<PacketEntity>>, key: string, packet: PacketEntity): void {
    const shelf = by.get(key) ?? new FoldedShelf(this.#fold)
    by.set(key, shelf)
    shelf.place(packet.packet_id, packet.timestamp)
  }

  #forget(id: string): void {
    const keys = this.#keys.get(id)
    if (keys === undefined) return
    this.#keys.delete(id)
    if (keys.reply_to !== null) this.#replies.get(keys.reply_to)?.remove(id)
    if (keys.file !== null) this.#files.get(keys.file)?.remove(id)
    this.#fileNames.count(this.#projectId, keys.file, -1)
  }
}

interface Keys {
  readonly reply_to: string | null
  readonly file: string | null
}
