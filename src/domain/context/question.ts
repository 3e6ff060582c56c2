import { compareText } from '../../protocol/json/canonical.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { latest } from '../../protocol/stamp.ts'
import { oneLine } from '../names/quoted.ts'
import type { ProjectView } from '../view.ts'
import { speakerOf } from '../views/by.ts'
import type { PacketEntity } from '../views/entities.ts'
import { byPacketTime, isOfMember, MOST_REPLIES_DEEP, packetsAbove, repliesBelow } from './thread.ts'

/**
 * When a question is open: from the moment it is asked until a decision is recorded in its thread, or it is redacted.
 * After a mere reply it is the asker's turn again. A request for a file is a question that the file settles.
 */

export const wantsFile = ({ type, content }: PacketEntity): boolean =>
  type === 'question' && content?.['wants'] === 'file'

type Said = Pick<PacketEntity, 'type' | 'content'>

/** The text of a question, cut to the length of a name; undefined for other packets. */
export function whatIsAsked({ type, content }: Said): string | undefined {
  const asked = type === 'question' ? content?.['question'] : undefined
  return typeof asked === 'string' && asked !== '' ? shortened(asked) : undefined
}

/** Cuts between whole characters. */
const shortened = (text: string): string =>
  text.length <= LIMITS.nameLength ? text : `${[...text.slice(0, LIMITS.nameLength)].slice(0, -1).join('')}…`

/** The name of a question: its text on one line, without characters that nobody can type. */
export const questionName = (packet: Said): string | undefined =>
  oneLine(whatIsAsked(packet) ?? '') || undefined

export const bringsFile = ({ content }: PacketEntity): boolean => isJsonObject(content?.['file'])

/** The place of a packet in its thread: under which question, and how deep. */
export interface Standing {
  /** The id of the topmost question. */
  readonly question: string | undefined
  /** The id of the nearest question, which may have been asked in reply. */
  readonly nearest: string | undefined
  readonly depth: number
}

const TOP: Standing = { question: undefined, nearest: undefined, depth: 0 }
const LOST: Standing = { question: undefined, nearest: undefined, depth: MOST_REPLIES_DEEP }

/** The place of a reply to a packet at this place; without a place, of a packet that replies to nothing known. */
export function placeOfReply({ question, nearest, depth }: Standing = TOP, packet: PacketEntity): Standing {
  if (depth === MOST_REPLIES_DEEP) return LOST
  const own = packet.type === 'question' ? packet.packet_id : undefined
  return { question: question ?? own, nearest: own ?? nearest, depth: depth + 1 }
}

/** The topmost question in the thread above a packet, which may be the packet itself. */
export function questionAbove(
  packet: PacketEntity,
  packetWith: (id: string) => PacketEntity | undefined,
): PacketEntity | undefined {
  let question: PacketEntity | undefined
  let depth = 0
  for (let above: PacketEntity | undefined = packet; above !== undefined; depth++) {
    if (depth === MOST_REPLIES_DEEP) return undefined
    if (above.type === 'question') question = above
    above = above.reply_to === null ? undefined : packetWith(above.reply_to)
  }
  return question
}

/** What the repos of the project said in the thread of a question. Packets that do not count are left out. */
export interface Talk {
  readonly isSettled: boolean
  /** By repo. */
  readonly last: ReadonlyMap<string, LastReply>
  /** By repo, its newest decision on this very question. */
  readonly choices: ReadonlyMap<string, Choice>
}

export function isOpen(question: PacketEntity, talk: Talk): boolean {
  return question.counts && question.redacted === null && !talk.isSettled
}

/** The repos that said something since the asker's last packet, in order of time. */
export function answersTo(question: PacketEntity, { last }: Talk): LastReply[] {
  const asked = last.get(question.repo_id)
  return [...last.values()]
    .filter(({ repoId, at }) => repoId !== question.repo_id && (asked === undefined || at >= asked.at))
    .sort(byTime)
}

/** The whole thread of a topmost question, read from the present state. */
export function talkAbout(question: PacketEntity, found: ProjectView): Talk {
  const newest = new Map<string, PacketEntity>()
  const decided = new Map<string, PacketEntity>()
  let isSettled = false
  const levels = MOST_REPLIES_DEEP - packetsAbove(found, question.packet_id).length
  for (const packet of [question, ...repliesBelow(found, question, levels)]) {
    if (packet.redacted !== null || !isOfMember(found, packet)) continue
    isSettled ||= settles(packet, question)
    keepLater(newest, packet)
    if (packet.type === 'decision' && questionOf(packet, found)?.packet_id === question.packet_id)
      keepLater(decided, packet)
  }
  const last = new Map([...newest].map(([id, packet]) => [id, lastReplyOf(packet, question)]))
  const choices = new Map([...decided].map(([id, packet]) => [id, choiceOf(packet, question)]))
  return { isSettled, last, choices }
}

function keepLater(kept: Map<string, PacketEntity>, packet: PacketEntity): void {
  const before = kept.get(packet.repo_id)
  if (before === undefined || byPacketTime(packet, before) > 0) kept.set(packet.repo_id, packet)
}

/** Whether a packet in the thread settles the question. */
function settles(packet: PacketEntity, question: PacketEntity): boolean {
  if (packet.packet_id === question.packet_id) return false
  if (packet.type === 'decision') return true
  return wantsFile(question) && packet.reply_to === question.packet_id && bringsFile(packet)
}

/** The newest packet of a repo in the thread of a question; for the asker it may be the question itself. */
export type LastReply = ReturnType<typeof lastReplyOf>

/** A reply is never dated before its question, whatever its author's clock says. */
export function lastReplyOf(reply: PacketEntity, question: PacketEntity) {
  const at = latest([reply.timestamp, question.timestamp])
  return { ...speakerOf(reply), packetId: reply.packet_id, at }
}

export const byTime = (a: LastReply, b: LastReply): number =>
  compareText(a.at, b.at) || compareText(a.packetId, b.packetId)

/** What a repo decided on a question. */
export type Choice = ReturnType<typeof choiceOf>

export const choiceOf = (decision: PacketEntity, question: PacketEntity) => ({
  ...lastReplyOf(decision, question),
  chosen: chosenIn(decision),
})

/** Undefined if the decision names no choice. */
export function chosenIn({ content }: PacketEntity): string | undefined {
  const chosen = content?.['chosen']
  return typeof chosen === 'string' ? chosen.trim() : undefined
}

/** The question that a packet is about: the nearest one above it in the thread. */
export const questionOf = (packet: PacketEntity, found: ProjectView): PacketEntity | undefined =>
  packetsAbove(found, packet.packet_id, MOST_REPLIES_DEEP).find(({ type }) => type === 'question')

/** The newest decision of each repo in order of time, if they choose differently; otherwise none. */
export function contradictions({ choices }: Pick<Talk, 'choices'>): readonly Choice[] {
  const choosing = [...choices.values()].filter(({ chosen }) => chosen !== undefined)
  if (new Set(choosing.map(({ chosen }) => chosen)).size < 2) return []
  return choosing.sort(byTime)
}
