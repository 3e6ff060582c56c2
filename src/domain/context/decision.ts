import { compareText } from '../../protocol/json/canonical.ts'
import type { ProjectView } from '../view.ts'
import type { PacketEntity } from '../views/entities.ts'
import { type Choice, chosenIn, contradictions, questionOf } from './choice.ts'
import { type Talk, talkAbout } from './question.ts'

/** Whether something was chosen that the question does not offer. */
export function isBesideOptions(chosen: string | undefined, question: PacketEntity): boolean {
  const options = question.content?.['options']
  if (chosen === undefined || !Array.isArray(options) || options.length === 0) return false
  return !options.some((option) => typeof option === 'string' && option.trim() === chosen.trim())
}

/** What is to be known of a question or a decision beside what it says. */
export interface Remarks {
  /** It chose something that the question does not offer. */
  readonly not_among_options?: true
  /** Ids of the decisions on the same question that choose something else; of a question, all of them. */
  readonly contradicted_by?: readonly string[]
  /** Id of the decision by which its own repo decided anew on the same question. */
  readonly replaced_by?: string
}

/** The remarks on several packets of a project: every question is looked at once. */
export function remarksIn(found: ProjectView): (packet: PacketEntity) => Remarks {
  const talks = new Map<string, Talk>()
  const talkOn = (question: PacketEntity): Talk => {
    const talk = talks.get(question.packet_id) ?? talkAbout(question, found)
    talks.set(question.packet_id, talk)
    return talk
  }
  return (packet) => {
    if (packet.redacted !== null || !packet.counts) return {}
    if (packet.type === 'question') return contradicted(contradictions(talkOn(packet)))
    const question = packet.type === 'decision' ? questionOf(packet, found) : undefined
    if (question === undefined) return {}
    const talk = talkOn(question)
    const last = talk.choices.get(packet.repo_id)?.packetId
    const all = contradictions(talk)
    const isStanding = all.some(({ packetId }) => packetId === packet.packet_id)
    const chosen = chosenIn(packet)
    return {
      ...(isBesideOptions(chosen, question) ? { not_among_options: true } : {}),
      ...(isStanding ? contradicted(all.filter((one) => one.chosen !== chosen)) : {}),
      ...(last === undefined || last === packet.packet_id ? {} : { replaced_by: last }),
    }
  }
}

/** Whether a packet is a decision that holds: not taken back, by who speaks for its repo, and its last word on that. */
export function standsIn(found: ProjectView): (packet: PacketEntity) => boolean {
  const remarksOn = remarksIn(found)
  return (packet) => isDecision(packet) && remarksOn(packet).replaced_by === undefined
}

/** One that was not taken back, and who said it speaks for its repo. */
const isDecision = ({ type, redacted, counts }: PacketEntity): boolean =>
  type === 'decision' && redacted === null && counts

const contradicted = (others: readonly Choice[]): Pick<Remarks, 'contradicted_by'> =>
  others.length === 0 ? {} : { contradicted_by: others.map(({ packetId }) => packetId) }

/** What was decided on a question, newest first: of every repo its last word. */
export const decisionsOn = (question: PacketEntity, found: ProjectView): PacketEntity[] =>
  [...talkAbout(question, found).choices.values()]
    .sort((a, b) => compareText(b.at, a.at) || compareText(b.packetId, a.packetId))
    .flatMap(({ packetId }) => found.packets.get(packetId) ?? [])
