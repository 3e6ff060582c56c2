import { questionName } from '../../../domain/context/question.ts'
import { fileNamedIn } from '../../../domain/files/shared-file.ts'
import { bodyOf, contentOf } from '../../../domain/statements/kind.ts'
import { packet as packetKind } from '../../../domain/statements/packet.ts'
import type { Statement } from '../../../domain/statements/statement.ts'
import type { PacketEntity } from '../../../domain/views/entities.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import type { FileNames } from '../files/names.ts'
import { EntityTable } from './entity-table.ts'
import { NameIndex } from './name-index.ts'

/**
 * A project's packets, with indexes of the replies to a packet, of questions by their text, and of packets that name
 * a file.
 */
export class PacketTable extends EntityTable<PacketEntity> {
  readonly #fold: (id: string) => PacketEntity | undefined
  readonly #replies = new Map<string, EntityTable<PacketEntity>>()
  readonly #files = new Map<string, EntityTable<PacketEntity>>()
  readonly #questions = new NameIndex()
  /** By packet, the keys it is indexed by. Most packets have none. */
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

  *questionsCalled(name: string): Iterable<PacketEntity> {
    for (const id of this.#questions.idsOf(name)) {
      const packet = this.get(id)
      if (packet !== undefined && packet.redacted === null && questionName(packet) === name) yield packet
    }
  }

  /**
   * Enters a new or changed packet, or removes one that is gone. Derives no entity, because at start this runs for
   * every packet.
   */
  update(id: string, opening: Statement | undefined): void {
    this.#forget(id)
    if (opening === undefined) this.remove(id)
    else this.#enterAll(id, opening)
  }

  #enterAll(id: string, opening: Statement): void {
    this.place(id, opening.at)
    const { reply_to, type } = bodyOf(packetKind, opening)
    const content = contentOf(packetKind, opening)
    const file = content === undefined ? null : fileNamedIn({ content })
    const question = content === undefined ? undefined : questionName({ type, content })
    if (reply_to === null && file === null && question === undefined) return
    this.#keys.set(id, { reply_to, file, question })
    this.#questions.add(question, id)
    if (reply_to !== null) this.#enter(this.#replies, reply_to, opening)
    if (file !== null) this.#enter(this.#files, file, opening)
    this.#fileNames.count(this.#projectId, file, 1)
  }

  #enter(by: Map<string, EntityTable<PacketEntity>>, key: string, { about, at }: Statement): void {
    getOrAdd(by, key, () => new EntityTable(this.#fold)).place(about, at)
  }

  #forget(id: string): void {
    const keys = this.#keys.get(id)
    if (keys === undefined) return
    this.#keys.delete(id)
    if (keys.reply_to !== null) this.#replies.get(keys.reply_to)?.remove(id)
    if (keys.file !== null) this.#files.get(keys.file)?.remove(id)
    if (keys.question !== undefined) this.#questions.remove(keys.question, id)
    this.#fileNames.count(this.#projectId, keys.file, -1)
  }
}

interface Keys {
  readonly reply_to: string | null
  readonly file: string | null
  readonly question: string | undefined
}
