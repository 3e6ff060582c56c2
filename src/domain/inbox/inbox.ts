import { compareText } from '../../protocol/json/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { isPacketInEffect } from '../context/message.ts'
import {
  answersTo,
  type Choice,
  contradictions,
  isOpen,
  type LastReply,
  type Talk,
  wantsFile,
} from '../context/question.ts'
import type { Step } from '../contract/next-step.ts'
import type { IgnoredFile } from '../proof/ignored-file.ts'
import { speakerOf } from '../views/by.ts'
import type { PacketEntity } from '../views/entities.ts'

/** What a repo can have to do, and what that is about. The inbox is derived from the shared state and not stored. */
export const SUBJECT_KINDS = {
  join_project: 'project',
  claim_lost: 'project',
  settle_claims: 'project',
  answer_contract: 'contract',
  revise_contract: 'contract',
  resolve_conflict: 'contract',
  start_implementation: 'contract',
  complete_implementation: 'contract',
  revise_implementation: 'contract',
  waits_for_me: 'contract',
  declare_again: 'contract',
  verify_contract: 'contract',
  verify_again: 'contract',
  answer_question: 'packet',
  accept_answer: 'packet',
  fulfil_file_request: 'packet',
  settle_decisions: 'packet',
  read_message: 'packet',
} as const
export type ItemKind = keyof typeof SUBJECT_KINDS
export const ITEM_KINDS = Object.keys(SUBJECT_KINDS) as ItemKind[]

/** Whom a duty concerns: one repo, or all repos of the project except some, including repos that join later. */
export type Audience = { readonly only: string } | { readonly but: readonly string[] }

export interface Duty {
  readonly kind: ItemKind
  readonly to: Audience
  readonly since: Stamp
  /** The repo that caused it, its agent if known, and whether a person did it there. */
  readonly by: { readonly repoId: string; readonly agentId: string | null; readonly byPerson?: true }
  /** What the duty depends on: when this changes, an acknowledged item is shown again. */
  readonly basis: readonly string[]
  /** The repo knows about it from its own action, and nobody waits for it. */
  readonly urgency?: 'low'
}

/** A repo that cannot go on before others have acted. */
export interface Wait {
  readonly repoId: string
  /** Ids of repos; empty: any other. */
  readonly on: readonly string[]
  readonly to: Step['to']
  readonly since: Stamp
}

export interface Turns {
  readonly duties: readonly Duty[]
  readonly waits: readonly Wait[]
}

export const NO_TURNS: Turns = { duties: [], waits: [] }

/** Equal audiences have equal keys. */
export function audienceKey(to: Audience): string {
  return 'only' in to ? `only ${to.only}` : `but ${to.but.join(' ')}`
}

export const isAmong = (repoId: string, to: Audience): boolean =>
  'only' in to ? to.only === repoId : !to.but.includes(repoId)

export function turnsOfQuestion(question: PacketEntity, talk: Talk): Turns {
  if (!isOpen(question, talk)) return decisionTurns(question, talk)
  const asker = question.repo_id
  // Undefined if the asker is no repo of the project: then nobody waits for an answer or accepts one.
  const asked = talk.last.get(asker)
  const since = asked?.at ?? question.timestamp
  const answers = answersTo(question, talk)
  const spoke = answers.map(({ repoId }) => repoId)
  const duties: Duty[] = [
    {
      kind: wantsFile(question) ? 'fulfil_file_request' : 'answer_question',
      to: { but: (asked === undefined ? spoke : [asker, ...spoke]).sort(compareText) },
      since,
      by: asked === undefined ? speakerOf(question) : authorIn(asked),
      basis: [asked?.packetId ?? question.packet_id],
    },
  ]
  if (asked === undefined) return { duties, waits: [] }
  const [first] = answers
  const last = answers.at(-1)
  if (first === undefined || last === undefined)
    return { duties, waits: [{ repoId: asker, on: [], to: 'answer it', since }] }
  duties.push({
    kind: 'accept_answer',
    to: { only: asker },
    since: first.at,
    by: authorIn(last),
    basis: answers.map(({ packetId }) => packetId),
  })
  return { duties, waits: [] }
}

/**
 * The repos that decided differently from the first decision are asked to adopt it, so that no two repos adopt each
 * other's.
 */
function decisionTurns(question: PacketEntity, talk: Talk): Turns {
  const sides = sidesOn(question, talk)
  const [first] = sides
  const last = sides.at(-1)
  if (first === undefined || last === undefined) return NO_TURNS
  const { chosen = '' } = first
  const basis = [...sides.map(({ packetId }) => packetId), chosen]
  const asked = toDecideAnew(question, talk).map((one) => one.repoId)
  const waiting = new Set(sides.filter((one) => one.chosen === chosen).map((one) => one.repoId))
  // The asker waits too, if it is a repo of the project and does not have to decide anew itself.
  if (talk.last.has(question.repo_id) && !asked.includes(question.repo_id)) waiting.add(question.repo_id)
  return {
    duties: asked.map((only) => ({
      kind: 'settle_decisions',
      to: { only },
      since: last.at,
      by: authorIn(first),
      basis,
    })),
    waits: Array.from(waiting, (repoId) => ({ repoId, on: asked, to: 'decide the same', since: last.at })),
  }
}

const authorIn = ({ repoId, agentId, byPerson }: LastReply): Duty['by'] => ({
  repoId,
  agentId,
  ...(byPerson && { byPerson }),
})

/** The decisions that have to be made anew; none if all repos decided the same. */
export function toDecideAnew(question: PacketEntity, talk: Talk): readonly Choice[] {
  const sides = sidesOn(question, talk)
  return sides.filter(({ chosen }) => chosen !== sides[0]?.chosen)
}

const sidesOn = (question: PacketEntity, talk: Talk): readonly Choice[] =>
  isPacketInEffect(question) ? contradictions(talk) : []

/** The addressed repos that have not replied have to read the message. */
export function turnsOfMessage(packet: PacketEntity, to: readonly string[]): Turns {
  const { packet_id, timestamp: since } = packet
  const common = { kind: 'read_message', since, by: speakerOf(packet), basis: [packet_id] } as const
  return { duties: to.map((only) => ({ ...common, to: { only } })), waits: [] }
}

/** The file whose change makes another verification necessary; empty: the last one came without evidence. */
export const movedFile = ({ basis }: Duty): string => basis[1] ?? ''

/** The declared file that counts as not there, and why. */
export const ignoredFile = ({ basis }: Duty): IgnoredFile => ({ path: basis[1] ?? '', why: basis[2] ?? '' })

/** The choice of the first decision. */
export const firstChoice = ({ basis }: Duty): string => basis.at(-1) ?? ''

/** The packet to reply to when accepting an answer. */
export const newestAnswer = ({ basis }: Duty): string => basis.at(-1) ?? ''
