import { addresseesOf, isPacketInEffect } from '../../../domain/context/message.ts'
import type { PacketEntity } from '../../../domain/views/entities.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { compareSortKeys, placeOf, SortedEntries, type SortKey } from '../sorted-entries.ts'

/** Of the messages that a repo has not replied to, this many of the newest are in its inbox. */
export const MOST_UNANSWERED = 100

/** A message, and those of its addressees that have it in their inbox. */
export interface Message {
  readonly packet: PacketEntity
  readonly to: readonly string[]
}

/**
 * The packets that are addressed to repos by name, kept up to date packet by packet, in whatever order they come. One
 * more message or reply costs the same however many there are.
 */
export class Messages {
  /** Packets that are addressed to a repo or reply to another packet. */
  readonly #packets = new Map<string, PacketEntity>()
  /** By the packet that is replied to, which need not be here: how often each repo replied. */
  readonly #replies = new Map<string, Map<string, number>>()
  /** By repo: the messages it has not replied to, in order of time. */
  readonly #unanswered = new Map<string, SortedEntries<SortKey>>()

  /** Undefined for a packet that is not addressed to any repo by name. */
  get(id: string, projectId: string): Message | undefined {
    const packet = this.#packets.get(id)
    const to = packet === undefined ? [] : addresseesOf(packet, projectId)
    if (packet === undefined || to.length === 0) return undefined
    return { packet, to: to.filter((repoId) => this.#isDue(packet, repoId)) }
  }

  /**
   * Takes in a packet as it is now, undefined when it is gone. Returns the ids of the messages for which that changes
   * something.
   */
  put(id: string, packet: PacketEntity | undefined, projectId: string): ReadonlySet<string> {
    const touched = new Set<string>()
    const before = this.#packets.get(id)
    if (before !== undefined) {
      this.#packets.delete(id)
      for (const repoId of addresseesOf(before, projectId)) this.#countUnanswered(before, repoId, -1, touched)
      this.#count(before, -1, projectId, touched)
    }
    if (packet === undefined) return touched
    const to = addresseesOf(packet, projectId)
    if (to.length === 0 && packet.reply_to === null) return touched
    this.#packets.set(id, packet)
    for (const repoId of to)
      if (!this.#hasReplied(repoId, id)) this.#countUnanswered(packet, repoId, 1, touched)
    this.#count(packet, 1, projectId, touched)
    return touched
  }

  #isDue(packet: PacketEntity, repoId: string): boolean {
    if (this.#hasReplied(repoId, packet.packet_id)) return false
    const order = this.#unanswered.get(repoId)
    const oldest = order?.at(order.size - MOST_UNANSWERED)
    return oldest === undefined || compareSortKeys(oldest, placeOf(packet)) <= 0
  }

  #hasReplied(repoId: string, messageId: string): boolean {
    return this.#replies.get(messageId)?.has(repoId) === true
  }

  /** Counts a reply, or one that is gone. An addressee's first reply answers the message. */
  #count(packet: PacketEntity, change: 1 | -1, projectId: string, touched: Set<string>): void {
    const { repo_id: repoId, reply_to: messageId } = packet
    if (messageId === null || !isPacketInEffect(packet)) return
    const replies = this.#replies.get(messageId) ?? new Map<string, number>()
    const count = (replies.get(repoId) ?? 0) + change
    if (count > 0) this.#replies.set(messageId, replies.set(repoId, count))
    else if (replies.delete(repoId) && replies.size === 0) this.#replies.delete(messageId)
    const message = this.#packets.get(messageId)
    if (message === undefined || !addresseesOf(message, projectId).includes(repoId)) return
    if (count === 0) this.#countUnanswered(message, repoId, 1, touched)
    else if (change === 1 && count === 1) this.#countUnanswered(message, repoId, -1, touched)
  }

  /** A message that is added pushes another one out of the inbox; one that is gone lets another one move up. */
  #countUnanswered(message: PacketEntity, repoId: string, change: 1 | -1, touched: Set<string>): void {
    const order = getOrAdd(this.#unanswered, repoId, () => new SortedEntries<SortKey>())
    order.change(placeOf(message), change)
    touched.add(message.packet_id)
    const moved = order.at(order.size - MOST_UNANSWERED - (change === 1 ? 1 : 0))
    if (moved !== undefined) touched.add(moved.id)
    if (order.size === 0) this.#unanswered.delete(repoId)
  }
}
