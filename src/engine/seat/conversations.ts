import type { Packet } from '../../domain/model.ts'
import {
  hear,
  questionAbove,
  SILENCE,
  type Standing,
  standingBelow,
  standingOf,
  type Talk,
} from '../../domain/question.ts'

/** A question and what was said about it. */
export interface Conversation {
  readonly question: Packet
  readonly talk: Talk
}

/**
 * The questions of a project, each with what was said about it, kept up to date packet by packet. Packets come in any
 * order, a reply before what it answers among them. One more reply costs the same however many there are.
 */
export class Conversations {
  readonly #packets = new Map<string, Packet>()
  /** By what they reply to, which need not be here. */
  readonly #replies = new Map<string, Set<string>>()
  /** The question that a packet belongs to. */
  readonly #questions = new Map<string, string>()
  readonly #open = new Map<string, { members: Set<string>; talk: Talk }>()

  /** Undefined for a packet that is no question, or part of the conversation on another one. */
  get(questionId: string): Conversation | undefined {
    const question = this.#packets.get(questionId)
    const known = this.#open.get(questionId)
    return question && known && { question, talk: known.talk }
  }

  /** Returns the ids of the questions about which this says something else than before. */
  put(packet: Packet): ReadonlySet<string> {
    const { packet_id: id, reply_to } = packet
    const before = this.#packets.get(id)
    this.#packets.set(id, packet)
    if (before !== undefined && before.reply_to !== null) this.#replies.get(before.reply_to)?.delete(id)
    if (reply_to !== null) this.#repliesTo(reply_to).add(id)
    if (before === undefined && !this.#replies.has(id)) return this.#join(packet)
    return this.#joinAnew(packet)
  }

  /** What nobody replied to yet. */
  #join(packet: Packet): ReadonlySet<string> {
    const question = questionAbove(packet, (id) => this.#packets.get(id))
    if (question === undefined) return new Set()
    const { members, talk } = this.#conversationOn(question.packet_id)
    members.add(packet.packet_id)
    this.#questions.set(packet.packet_id, question.packet_id)
    this.#open.set(question.packet_id, { members, talk: hear(talk, packet, question) })
    return new Set([question.packet_id])
  }

  /** A packet that changed, or that replies were waiting for, moves with all that hangs on it. */
  #joinAnew(packet: Packet): ReadonlySet<string> {
    const touched = new Set<string>()
    for (const [id, { question }] of this.#below(packet)) {
      const before = this.#questions.get(id)
      const after = question?.packet_id
      if (before !== undefined) {
        this.#open.get(before)?.members.delete(id)
        this.#questions.delete(id)
        touched.add(before)
      }
      if (after === undefined) continue
      this.#conversationOn(after).members.add(id)
      this.#questions.set(id, after)
      touched.add(after)
    }
    for (const id of touched) this.#retell(id)
    return touched
  }

  #retell(questionId: string): void {
    const question = this.#packets.get(questionId)
    const members = this.#open.get(questionId)?.members
    if (question === undefined || members === undefined || !members.has(questionId)) {
      this.#open.delete(questionId)
      return
    }
    let talk = SILENCE
    for (const id of members) {
      const packet = this.#packets.get(id)
      if (packet !== undefined) talk = hear(talk, packet, question)
    }
    this.#open.set(questionId, { members, talk })
  }

  /** A packet and all replies to it, and to them, each with where it stands now. */
  #below(packet: Packet): ReadonlyMap<string, Standing> {
    const found = new Map([[packet.packet_id, standingOf(packet, (id) => this.#packets.get(id))]])
    for (const [id, standing] of found)
      for (const replyId of this.#replies.get(id) ?? []) {
        const reply = this.#packets.get(replyId)
        if (reply !== undefined && !found.has(replyId)) found.set(replyId, standingBelow(standing, reply))
      }
    return found
  }

  #repliesTo(packetId: string): Set<string> {
    return entryOf(this.#replies, packetId, () => new Set())
  }

  #conversationOn(questionId: string): { members: Set<string>; talk: Talk } {
    return entryOf(this.#open, questionId, () => ({ members: new Set(), talk: SILENCE }))
  }
}

function entryOf<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
