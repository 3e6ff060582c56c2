import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import type { ProjectView } from '../view.ts'
import type { PacketEntity } from '../views/entities.ts'
import { isPacketInEffect } from './message.ts'
import {
  byTime,
  type Choice,
  chosenIn,
  contradictions,
  questionOf,
  type Talk,
  talkAbout,
} from './question.ts'

/** Whether something was chosen that is not among the question's options. */
function isOutsideOptions(chosen: string | undefined, question: PacketEntity): boolean {
  const options = question.content?.['options']
  if (chosen === undefined || !Array.isArray(options) || options.length === 0) return false
  return !options.some((option) => typeof option === 'string' && option.trim() === chosen.trim())
}

/** What a reader of a question or decision should know besides its content. */
interface Remarks {
  /** It chose something that is not among the question's options. */
  readonly not_among_options?: true
  /** Ids of the decisions on the same question that choose something else; for a question, of all of them. */
  readonly contradicted_by?: readonly string[]
  /** Id of the later decision by the same repo on the same question. */
  readonly replaced_by?: string
}

/** The remarks on several packets of a project, computed once per question. */
export function remarksIn(found: ProjectView): (packet: PacketEntity) => Remarks {
  const talks = new Map<string, Talk>()
  const talkOn = (question: PacketEntity): Talk =>
    getOrAdd(talks, question.packet_id, () => talkAbout(question, found))
  return (packet) => {
    if (!isPacketInEffect(packet)) return {}
    if (packet.type === 'question') return contradicted(contradictions(talkOn(packet)))
    const question = packet.type === 'decision' ? questionOf(packet, found) : undefined
    if (question === undefined) return {}
    const talk = talkOn(question)
    const last = talk.choices.get(packet.repo_id)?.packetId
    const all = contradictions(talk)
    const isStanding = all.some(({ packetId }) => packetId === packet.packet_id)
    const chosen = chosenIn(packet)
    return {
      ...(isOutsideOptions(chosen, question) ? { not_among_options: true } : {}),
      ...(isStanding ? contradicted(all.filter((one) => one.chosen !== chosen)) : {}),
      ...(last === undefined || last === packet.packet_id ? {} : { replaced_by: last }),
    }
  }
}

/** Whether a packet is a decision that holds: not redacted, it counts, and its repo has not decided anew. */
export function decisionHoldsIn(found: ProjectView): (packet: PacketEntity) => boolean {
  const remarksOn = remarksIn(found)
  return (packet) =>
    packet.type === 'decision' && isPacketInEffect(packet) && remarksOn(packet).replaced_by === undefined
}

const contradicted = (others: readonly Choice[]): Pick<Remarks, 'contradicted_by'> =>
  others.length === 0 ? {} : { contradicted_by: others.map(({ packetId }) => packetId) }

/** The decisions on a question, newest first: the last one of each repo. */
export const decisionsOn = (question: PacketEntity, found: ProjectView): PacketEntity[] =>
  [...talkAbout(question, found).choices.values()]
    .sort((a, b) => byTime(b, a))
    .flatMap(({ packetId }) => found.packets.get(packetId) ?? [])
