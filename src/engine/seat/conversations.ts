import { isPacketInEffect } from '../../domain/context/message.ts'
import {
  bringsFile,
  type Choice,
  choiceOf,
  type LastReply,
  lastReplyOf,
  placeOfReply,
  type Standing,
  type Talk,
  wantsFile,
} from '../../domain/context/question.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { placeOf, SortedEntries, type SortKey } from './sorted-entries.ts'

/** A question and the replies to it. */
export interface Conversation {
  readonly question: PacketEntity
  readonly talk: Talk
}

/** The packets of one repo in the conversation about a question, without the redacted ones. */
interface Contribution {
  /** All of them, in order of time. */
  readonly said: SortedEntries<SortKey>
  decisions: number
  /** The decisions that answer this very question, in order of time. */
  readonly choices: SortedEntries<SortKey>
  /** How many of them are files sent in reply to the question itself. */
  files: number
}

/**
 * The questions of a project, each with the replies to it, kept up to date packet by packet. Packets come in any
 * order, also a reply before the packet that it answers. One more reply costs the same however many there are; a
 * packet that arrives after its replies costs as much as there are replies that move by it.
 */
export class Conversations {
  readonly #packets = new Map<string, PacketEntity>()
  /** By the packet they reply to, which need not be here. */
  readonly #replies = new Map<string, Set<string>>()
  readonly #standings = new Map<string, Standing>()
  /** By question, then by repo. */
  readonly #contributions = new Map<string, Map<string, Contribution>>()

  /**
   * What these repos said about a question. Undefined for a packet that is no question, or that is part of the
   * conversation about another one.
   */
  get(questionId: string, repoIds: Iterable<string>): Conversation | undefined {
    const question = this.#packets.get(questionId)
    if (question === undefined || this.#standings.get(questionId)?.question !== questionId) return undefined
    const contributions = this.#contributions.get(questionId)
    const last = new Map<string, LastReply>()
    const choices = new Map<string, Choice>()
    let isSettled = false
    for (const repoId of repoIds) {
      const contribution = contributions?.get(repoId)
      const newest = contribution?.said.at(contribution.said.size - 1)
      const packet = newest && this.#packets.get(newest.id)
      if (contribution === undefined || packet === undefined) continue
      isSettled ||= contribution.decisions > 0 || (wantsFile(question) && contribution.files > 0)
      last.set(repoId, lastReplyOf(packet, question))
      const chosen = contribution.choices.at(contribution.choices.size - 1)
      const decision = chosen && this.#packets.get(chosen.id)
      if (decision !== undefined) choices.set(repoId, choiceOf(decision, question))
    }
    return { question, talk: { isSettled, last, choices } }
  }

  /** The questions that a repo asked or replied to. */
  questionsWith(repoId: string): string[] {
    return [...this.#contributions].flatMap(([questionId, contributions]) =>
      contributions.has(repoId) ? questionId : [],
    )
  }

  /**
   * Takes in a packet as it is now, undefined when it is gone. Returns the ids of the questions whose conversation that
   * changes.
   */
  put(id: string, packet: PacketEntity | undefined): ReadonlySet<string> {
    const touched = new Set<string>()
    const before = this.#packets.get(id)
    const stood = this.#standings.get(id)
    if (before !== undefined) {
      if (before.reply_to !== null) this.#replies.get(before.reply_to)?.delete(id)
      this.#count(before, stood, -1, touched)
    }
    if (packet === undefined) {
      this.#packets.delete(id)
      if (this.#standings.delete(id)) this.#moveRepliesTo(id, touched)
      return touched
    }
    const { reply_to } = packet
    this.#packets.set(id, packet)
    if (reply_to !== null) getOrAdd(this.#replies, reply_to, () => new Set()).add(id)
    const stands = this.#standingOf(packet)
    this.#standings.set(id, stands)
    this.#count(packet, stands, 1, touched)
    if (!isSame(stood, stands)) this.#moveRepliesTo(id, touched)
    return touched
  }

  packet(id: string): PacketEntity | undefined {
    return this.#packets.get(id)
  }

  /**
   * Updates the replies to a packet whose position in a conversation has changed, and the replies to those, as far
   * down as positions change.
   */
  #moveRepliesTo(packetId: string, touched: Set<string>): void {
    const moved = [packetId]
    for (const aboveId of moved)
      for (const id of this.#replies.get(aboveId) ?? []) {
        const reply = this.#packets.get(id)
        const stood = this.#standings.get(id)
        if (reply === undefined) continue
        const stands = this.#standingOf(reply)
        if (isSame(stood, stands)) continue
        this.#standings.set(id, stands)
        moved.push(id)
        if (stood?.question === stands.question && stood?.nearest === stands.nearest) continue
        this.#count(reply, stood, -1, touched)
        this.#count(reply, stands, 1, touched)
      }
  }

  #standingOf(packet: PacketEntity): Standing {
    return placeOfReply(packet.reply_to === null ? undefined : this.#standings.get(packet.reply_to), packet)
  }

  /** Counts a packet where it stands, or no longer where it stood. */
  #count(packet: PacketEntity, at: Standing | undefined, change: 1 | -1, touched: Set<string>): void {
    const questionId = at?.question
    if (at === undefined || questionId === undefined) return
    touched.add(questionId)
    if (!isPacketInEffect(packet)) return
    const contributions = getOrAdd(this.#contributions, questionId, () => new Map<string, Contribution>())
    const contribution = getOrAdd(contributions, packet.repo_id, () => ({
      said: new SortedEntries(),
      decisions: 0,
      choices: new SortedEntries(),
      files: 0,
    }))
    contribution.said.change(placeOf(packet), change)
    if (packet.type === 'decision') contribution.decisions += change
    if (decides(packet, at)) contribution.choices.change(placeOf(packet), change)
    if (answersWithFile(packet, questionId)) contribution.files += change
    if (contribution.said.size === 0) contributions.delete(packet.repo_id)
    if (contributions.size === 0) this.#contributions.delete(questionId)
  }
}

const decides = ({ type }: PacketEntity, { question, nearest }: Standing): boolean =>
  type === 'decision' && nearest === question

const answersWithFile = (packet: PacketEntity, questionId: string): boolean =>
  packet.reply_to === questionId && bringsFile(packet)

const isSame = (a: Standing | undefined, b: Standing): boolean =>
  a?.question === b.question && a?.nearest === b.nearest && a?.depth === b.depth
