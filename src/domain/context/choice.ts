import { compareText } from '../../protocol/json/canonical.ts'
import { latest, type Stamp } from '../../protocol/stamp.ts'
import type { ProjectView } from '../view.ts'
import { speakerOf } from '../views/by.ts'
import type { PacketEntity } from '../views/entities.ts'
import type { Talk } from './question.ts'
import { MOST_REPLIES_DEEP, packetsAbove } from './thread.ts'

/** The newest packet of a repo in the thread of a question; for the asker it may be the question itself. */
export interface LastReply {
  readonly repoId: string
  readonly agentId: string
  readonly byPerson?: true
  readonly packetId: string
  readonly at: Stamp
}

/** A reply is never dated before its question, whatever its author's clock says. */
export function lastReplyOf(reply: PacketEntity, question: PacketEntity): LastReply {
  const at = latest([reply.timestamp, question.timestamp])
  return { ...speakerOf(reply), packetId: reply.packet_id, at }
}

export const byTime = (a: LastReply, b: LastReply): number =>
  compareText(a.at, b.at) || compareText(a.packetId, b.packetId)

/** What a repo decided on a question. */
export interface Choice extends LastReply {
  /** Undefined if the decision names no choice. */
  readonly chosen: string | undefined
}

export const choiceOf = (decision: PacketEntity, question: PacketEntity): Choice => ({
  ...lastReplyOf(decision, question),
  chosen: chosenIn(decision),
})

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
