import { isJsonObject } from '../protocol/json.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type { Packet } from './model.ts'
import type { ProjectView } from './view.ts'

/**
 * When a question is open: from the moment it is asked until a decision is recorded in its conversation, or it is
 * taken back. A mere reply hands the word back to who asked. A request for a file is a question, which the file ends.
 */

/** Beyond this nobody looks for the question that a reply belongs to. It also ends replies that form a ring. */
const MOST_REPLIES_DEEP = 1000

export const wantsFile = ({ type, content }: Packet): boolean =>
  type === 'question' && content['wants'] === 'file'

export const bringsFile = ({ content }: Packet): boolean => isJsonObject(content['file'])

/** Where a packet stands in its conversation: under which question, and how deep. */
export interface Standing {
  readonly question: Packet | undefined
  readonly depth: number
}

const LOST: Standing = { question: undefined, depth: Number.POSITIVE_INFINITY }

/** The question that a packet belongs to, which may be itself: the uppermost one that it replies to in the end. */
export const questionAbove = (
  packet: Packet,
  packetWith: (id: string) => Packet | undefined,
): Packet | undefined => standingOf(packet, packetWith).question

export function standingOf(packet: Packet, packetWith: (id: string) => Packet | undefined): Standing {
  let question: Packet | undefined
  let depth = 0
  for (let above: Packet | undefined = packet; above !== undefined; depth++) {
    if (depth === MOST_REPLIES_DEEP) return LOST
    if (above.type === 'question') question = above
    above = above.reply_to === null ? undefined : packetWith(above.reply_to)
  }
  return { question, depth }
}

/** The standing of a reply to what stands there, without looking all the way up again. */
export function standingBelow({ question, depth }: Standing, reply: Packet): Standing {
  if (depth >= MOST_REPLIES_DEEP) return LOST
  return { question: question ?? (reply.type === 'question' ? reply : undefined), depth: depth + 1 }
}

/** The newest thing that a repo said about a question. */
export interface Word {
  readonly repoId: string
  readonly agentId: string
  readonly packetId: string
  readonly at: Stamp
}

/** What was said about a question so far. */
export interface Talk {
  readonly isSettled: boolean
  /** By repo. */
  readonly last: ReadonlyMap<string, Word>
}

export const SILENCE: Talk = { isSettled: false, last: new Map() }

/** One more packet of the conversation, the question itself among them; in whatever order they are heard. */
export function hear(talk: Talk, packet: Packet, question: Packet): Talk {
  if (packet.redacted !== null) return talk
  const isSettled = talk.isSettled || settles(packet, question)
  const said = wordOf(packet, question)
  const before = talk.last.get(said.repoId)
  if (before !== undefined && !isLater(said, before)) return { ...talk, isSettled }
  return { isSettled, last: new Map(talk.last).set(said.repoId, said) }
}

export function isOpen(question: Packet, talk: Talk): boolean {
  return question.redacted === null && !talk.isSettled
}

/** Those who said something since the asker spoke last, in the order in which they did. */
export function answersTo(question: Packet, { last }: Talk): Word[] {
  const asked = last.get(question.from_repo)
  return [...last.values()]
    .filter((word) => word.repoId !== question.from_repo && (asked === undefined || word.at >= asked.at))
    .sort((a, b) => (isLater(a, b) ? 1 : -1))
}

/** The whole talk about a question, from the state as it is. */
export function talkAbout(question: Packet, found: ProjectView): Talk {
  let talk = SILENCE
  const waiting = [question]
  const seen = new Set<string>()
  for (let packet = waiting.pop(); packet !== undefined; packet = waiting.pop()) {
    if (seen.has(packet.packet_id)) continue
    seen.add(packet.packet_id)
    talk = hear(talk, packet, question)
    for (const reply of found.repliesTo(packet.packet_id)) waiting.push(reply)
  }
  return talk
}

function settles(packet: Packet, question: Packet): boolean {
  if (packet.packet_id === question.packet_id) return false
  if (packet.type === 'decision') return true
  return wantsFile(question) && packet.reply_to === question.packet_id && bringsFile(packet)
}

/** Whoever replies has heard the question, whatever its clock says. */
function wordOf({ packet_id, from_repo, from_agent, timestamp }: Packet, question: Packet): Word {
  const at = timestamp > question.timestamp ? timestamp : question.timestamp
  return { repoId: from_repo, agentId: from_agent, packetId: packet_id, at }
}

const isLater = (a: Word, b: Word): boolean => a.at > b.at || (a.at === b.at && a.packetId > b.packetId)
