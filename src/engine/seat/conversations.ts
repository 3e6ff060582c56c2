import { type Choice, choiceOf } from '../../domain/context/choice.ts'
import { isHeard } from '../../domain/context/message.ts'
import {
  bringsFile,
  type Standing,
  standingBelow,
  type Talk,
  type Word,
  wantsFile,
  wordOf,
} from '../../domain/context/question.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'
import { type Place, PlaceOrder } from './inbox/place-order.ts'

/** A question and what was said about it. */
export interface Conversation {
  readonly question: PacketEntity
  readonly talk: Talk
}

/** What one repo said about a question, and did not take back. */
interface Voice {
  /** In order of time. */
  readonly said: PlaceOrder<Place>
  decisions: number
  /** Those of them that decide just this question, in order of time. */
  readonly choices: PlaceOrder<Place>
  /** Sent in reply to the question itself. */
  files: number
}

/**
 * The questions of a project, each with what was said about it, kept up to date packet by packet. Packets come in any
 * order, a reply before what it answers among them. One more reply costs the same however many there are, whoever said
 * them; a packet that turns up above others costs as much as stands elsewhere by that.
 */
export class Conversations {
  readonly #packets = new Map<string, PacketEntity>()
  /** By what they reply to, which need not be here. */
  readonly #replies = new Map<string, Set<string>>()
  readonly #standings = new Map<string, Standing>()
  /** By question, then by repo. */
  readonly #voices = new Map<string, Map<string, Voice>>()

  /**
   * What these repos said about a question. Undefined for a packet that is none, or that is part of the conversation on
   * another one.
   */
  get(questionId: string, repoIds: Iterable<string>): Conversation | undefined {
    const question = this.#packets.get(questionId)
    if (question === undefined || this.#standings.get(questionId)?.question !== questionId) return undefined
    const voices = this.#voices.get(questionId)
    const last = new Map<string, Word>()
    const choices = new Map<string, Choice>()
    let isSettled = false
    for (const repoId of repoIds) {
      const voice = voices?.get(repoId)
      const newest = voice?.said.at(voice.said.size - 1)
      const packet = newest && this.#packets.get(newest.id)
      if (voice === undefined || packet === undefined) continue
      isSettled ||= voice.decisions > 0 || (wantsFile(question) && voice.files > 0)
      last.set(repoId, wordOf(packet, question))
      const chosen = voice.choices.at(voice.choices.size - 1)
      const decision = chosen && this.#packets.get(chosen.id)
      if (decision !== undefined) choices.set(repoId, choiceOf(decision, question))
    }
    return { question, talk: { isSettled, last, choices } }
  }

  /** The questions that a repo asked, or said something about. */
  questionsWith(repoId: string): string[] {
    return [...this.#voices].flatMap(([questionId, voices]) => (voices.has(repoId) ? questionId : []))
  }

  /** Returns the ids of the questions about which this says something else than before. */
  put(packet: PacketEntity): ReadonlySet<string> {
    const { packet_id: id, reply_to } = packet
    const touched = new Set<string>()
    const before = this.#packets.get(id)
    const stood = this.#standings.get(id)
    if (before !== undefined) {
      if (before.reply_to !== null) this.#replies.get(before.reply_to)?.delete(id)
      this.#forget(before, stood, touched)
    }
    this.#packets.set(id, packet)
    if (reply_to !== null) entryOf(this.#replies, reply_to, () => new Set()).add(id)
    const stands = this.#standingOf(packet)
    this.#standings.set(id, stands)
    this.#hear(packet, stands, touched)
    if (!isSame(stood, stands)) this.#moveRepliesTo(id, touched)
    return touched
  }

  packet(id: string): PacketEntity | undefined {
    return this.#packets.get(id)
  }

  /** The same for a packet that is not there any more. */
  remove(id: string): ReadonlySet<string> {
    const touched = new Set<string>()
    const before = this.#packets.get(id)
    if (before === undefined) return touched
    if (before.reply_to !== null) this.#replies.get(before.reply_to)?.delete(id)
    this.#forget(before, this.#standings.get(id), touched)
    this.#packets.delete(id)
    this.#standings.delete(id)
    this.#moveRepliesTo(id, touched)
    return touched
  }

  /** What hangs on a packet that stands elsewhere than before, as far down as that changes where it stands. */
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
        this.#forget(reply, stood, touched)
        this.#hear(reply, stands, touched)
      }
  }

  #standingOf(packet: PacketEntity): Standing {
    return standingBelow(packet.reply_to === null ? undefined : this.#standings.get(packet.reply_to), packet)
  }

  #hear(packet: PacketEntity, stands: Standing, touched: Set<string>): void {
    const { question: questionId } = stands
    if (questionId === undefined) return
    touched.add(questionId)
    if (!isHeard(packet)) return
    const voices = entryOf(this.#voices, questionId, () => new Map<string, Voice>())
    const voice = entryOf(voices, packet.repo_id, () => ({
      said: new PlaceOrder(),
      decisions: 0,
      choices: new PlaceOrder(),
      files: 0,
    }))
    voice.said.add(placeOf(packet))
    if (packet.type === 'decision') voice.decisions++
    if (decides(packet, stands)) voice.choices.add(placeOf(packet))
    if (answersWithFile(packet, questionId)) voice.files++
  }

  #forget(packet: PacketEntity, stood: Standing | undefined, touched: Set<string>): void {
    const questionId = stood?.question
    if (stood === undefined || questionId === undefined) return
    touched.add(questionId)
    const voices = this.#voices.get(questionId)
    const voice = voices?.get(packet.repo_id)
    if (voices === undefined || voice === undefined || !isHeard(packet)) return
    voice.said.remove(placeOf(packet))
    if (packet.type === 'decision') voice.decisions--
    if (decides(packet, stood)) voice.choices.remove(placeOf(packet))
    if (answersWithFile(packet, questionId)) voice.files--
    if (voice.said.size === 0) voices.delete(packet.repo_id)
    if (voices.size === 0) this.#voices.delete(questionId)
  }
}

const placeOf = ({ timestamp, packet_id }: PacketEntity): Place => ({ since: timestamp, id: packet_id })

const decides = ({ type }: PacketEntity, { question, nearest }: Standing): boolean =>
  type === 'decision' && nearest === question

const answersWithFile = (packet: PacketEntity, questionId: string): boolean =>
  packet.reply_to === questionId && bringsFile(packet)

const isSame = (a: Standing | undefined, b: Standing): boolean =>
  a?.question === b.question && a?.nearest === b.nearest && a?.depth === b.depth

function entryOf<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}
