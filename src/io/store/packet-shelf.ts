import type { Packet } from '../../domain/model.ts'
import type { SharedEntry } from './entry.ts'
import { type Item, SortedShelf } from './shelf.ts'

/** A project's packets, which also finds the answers to one of them. */
export class PacketShelf extends SortedShelf<Packet, SharedEntry> {
  readonly #replies = new Map<string, SortedShelf<Packet, SharedEntry>>()

  repliesTo(packetId: string): Iterable<Packet> {
    return this.#replies.get(packetId)?.oldestFirst() ?? []
  }

  override swap(
    before: Item<Packet, SharedEntry> | undefined,
    after: Item<Packet, SharedEntry> | undefined,
  ): void {
    super.swap(before, after)
    this.#repliesBeside(before)?.swap(before, undefined)
    this.#repliesBeside(after)?.swap(undefined, after)
  }

  #repliesBeside(item: Item<Packet> | undefined): SortedShelf<Packet, SharedEntry> | undefined {
    const target = item?.value.reply_to
    if (target === undefined || target === null) return undefined
    const replies = this.#replies.get(target) ?? new SortedShelf<Packet, SharedEntry>()
    this.#replies.set(target, replies)
    return replies
  }
}
