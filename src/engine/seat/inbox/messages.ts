import { addresseesOf, isHeard } from '../../../domain/context/message.ts'
import type { PacketEntity } from '../../../domain/views/entities.ts'
import { comparePlaces, type Place, PlaceOrder } from './place-order.ts'

/** Of what a repo was told and has not replied to, so many of the newest are in its inbox. */
export const MOST_UNANSWERED = 100

/** A message, and which of those that it is for have it in their inbox. */
export interface Message {
  readonly packet: PacketEntity
  readonly to: readonly string[]
}

/**
 * What was said to some repos by name, kept up to date packet by packet, in whatever order they come. One more message
 * or reply costs the same however many there are.
 */
export class Messages {
  /** Those that are for somebody, and those that reply to something. */
  readonly #packets = new Map<string, PacketEntity>()
  /** By what is replied to, which need not be here: how often each repo did. */
  readonly #replies = new Map<string, Map<string, number>>()
  /** By repo: what it has not replied to, in order of time. */
  readonly #unanswered = new Map<string, PlaceOrder<Place>>()

  /** Undefined for a packet that is for nobody by name. */
  get(id: string, projectId: string): Message | undefined {
    const packet = this.#packets.get(id)
    const to = packet === undefined ? [] : addresseesOf(packet, projectId)
    if (packet === undefined || to.length === 0) return undefined
    return { packet, to: to.filter((repoId) => this.#isDue(packet, repoId)) }
  }

  /** As the packet is now, or undefined. Returns the ids of the messages about which that says something else. */
  put(id: string, packet: PacketEntity | undefined, projectId: string): ReadonlySet<string> {
    const touched = new Set<string>()
    const before = this.#packets.get(id)
    if (before !== undefined) {
      this.#packets.delete(id)
      for (const repoId of addresseesOf(before, projectId)) this.#settle(before, repoId, touched)
      this.#count(before, -1, projectId, touched)
    }
    if (packet === undefined) return touched
    const to = addresseesOf(packet, projectId)
    if (to.length === 0 && packet.reply_to === null) return touched
    this.#packets.set(id, packet)
    for (const repoId of to) if (!this.#hasReplied(repoId, id)) this.#stand(packet, repoId, touched)
    this.#count(packet, 1, projectId, touched)
    return touched
  }

  #isDue(packet: PacketEntity, repoId: string): boolean {
    if (this.#hasReplied(repoId, packet.packet_id)) return false
    const order = this.#unanswered.get(repoId)
    const oldest = order?.at(order.size - MOST_UNANSWERED)
    return oldest === undefined || comparePlaces(oldest, placeOf(packet)) <= 0
  }

  #hasReplied(repoId: string, messageId: string): boolean {
    return this.#replies.get(messageId)?.has(repoId) === true
  }

  /** A reply that there is now, or is no more: the first one answers the message, if that is for who replied. */
  #count(packet: PacketEntity, change: 1 | -1, projectId: string, touched: Set<string>): void {
    const { repo_id: repoId, reply_to: messageId } = packet
    if (messageId === null || !isHeard(packet)) return
    const replies = this.#replies.get(messageId) ?? new Map<string, number>()
    const count = (replies.get(repoId) ?? 0) + change
    if (count > 0) this.#replies.set(messageId, replies.set(repoId, count))
    else if (replies.delete(repoId) && replies.size === 0) this.#replies.delete(messageId)
    const message = this.#packets.get(messageId)
    if (message === undefined || !addresseesOf(message, projectId).includes(repoId)) return
    if (count === 0) this.#stand(message, repoId, touched)
    else if (change === 1 && count === 1) this.#settle(message, repoId, touched)
  }

  #stand(message: PacketEntity, repoId: string, touched: Set<string>): void {
    const order = this.#unanswered.get(repoId) ?? new PlaceOrder<Place>()
    this.#unanswered.set(repoId, order)
    order.add(placeOf(message))
    touched.add(message.packet_id)
    const pushedOut = order.at(order.size - MOST_UNANSWERED - 1)
    if (pushedOut !== undefined) touched.add(pushedOut.id)
  }

  #settle(message: PacketEntity, repoId: string, touched: Set<string>): void {
    const order = this.#unanswered.get(repoId)
    order?.remove(placeOf(message))
    touched.add(message.packet_id)
    const movedUp = order?.at(order.size - MOST_UNANSWERED)
    if (movedUp !== undefined) touched.add(movedUp.id)
    if (order?.size === 0) this.#unanswered.delete(repoId)
  }
}

const placeOf = ({ timestamp, packet_id }: PacketEntity): Place => ({ since: timestamp, id: packet_id })
