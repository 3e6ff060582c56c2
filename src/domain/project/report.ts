import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { remarksIn } from '../context/decision.ts'
import { questionOf } from '../context/question.ts'
import {
  contractsByStatus,
  openQuestions,
  repoName,
  unclaimedRepos,
  type Waiting,
  waitingFor,
} from '../contract/next-step.ts'
import { listed } from '../names/listed.ts'
import { cutAt } from '../names/quoted.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity } from '../views/entities.ts'
import { projectStatus, updatedAt } from './project.ts'

/** The coordination state as text for people: passages, each with its sources. */
export interface Passage {
  readonly text: string
  readonly sources: readonly Source[]
}

interface Source {
  /** Such as `cacp:contract/<id>`. */
  readonly uri: string
  readonly title: string
  /** The quoted part of it. */
  readonly quote: string
}

/** Most contracts, questions or repos named in one passage. */
const MOST_NAMED = 20
const QUOTE_LENGTH = 300
const CONTENT_LENGTH = 1500

export function reportProject(found: ProjectView): Passage[] {
  const { project, repos, contracts } = found
  const name = project.name
  const archived = project.archived ? ', archived' : ''
  const members = [...repos.oldestFirst()].map((repo) => repo.name)
  const unclaimed = unclaimedRepos(found)
  return [
    {
      text: `Project ${name} is ${projectStatus(found)}${archived}. ${objective(project.objective)}Repositories: ${namesIn(members)}. Last change: ${updatedAt(found)}.`,
      sources: [projectSource(found)],
    },
    {
      text:
        contracts.size === 0
          ? 'It has no contracts yet.'
          : `It has ${contracts.size} contract${contracts.size === 1 ? '' : 's'}: ${byStatus(found)}.`,
      sources: [],
    },
    ...section('Who waits for whom:', waiting(found).map(waitingPassage)),
    ...section(
      'Open questions:',
      openQuestions(found).map((packet) => ({
        text: `- ${repoName(found, packet.repo_id)} asks: ${asked(packet)}`,
        sources: [packetSource(packet)],
      })),
    ),
    ...(unclaimed.length === 0
      ? []
      : [{ text: `No agent has joined yet for ${namesIn(unclaimed)}.`, sources: [] }]),
  ]
}

/** The same as data. */
export function projectFacts(found: ProjectView): JsonObject {
  const { project } = found
  const byStatus = [...contractsByStatus(found)].map(([status, contracts]) => [status, contracts.length])
  return {
    project_id: project.project_id,
    name: project.name,
    objective: project.objective,
    status: projectStatus(found),
    contracts: Object.fromEntries(byStatus),
    waiting: waiting(found)
      .slice(0, MOST_NAMED)
      .map(({ contract, on, to, status }) => ({
        contract_id: contract.contract_id,
        name: contract.name,
        status,
        waits_for: on,
        to,
      })),
    open_questions: openQuestions(found)
      .slice(0, MOST_NAMED)
      .map((packet) => ({ packet_id: packet.packet_id, question: asked(packet) })),
    updated_at: updatedAt(found),
  }
}

export function reportContract(contract: ContractEntity, found: ProjectView): Passage {
  const { version, repo_id, content, note } = contract.head
  const next = waitingFor(contract, found)
  const wait = next === undefined ? '' : ` It ${waitText(next)}.`
  const notes = note === '' ? '' : ` ${sentence(`Changed in this version: ${note}`)}`.trimEnd()
  const json = JSON.stringify(content, null, 2)
  const shown = json.length <= CONTENT_LENGTH ? json : `${cutAt(json, CONTENT_LENGTH)}\n…`
  return {
    text: `Contract ${contract.name} (${contract.type}, version ${version}) of project ${found.project.name} is ${contract.status}; ${repoName(found, repo_id)} proposed it.${wait}${notes}\n${shown}`,
    sources: [contractSource(contract)],
  }
}

export function reportPacket(packet: PacketEntity, found: ProjectView): Passage {
  const kind = packet.type.replaceAll('_', ' ')
  const question = packet.type === 'decision' ? questionOf(packet, found) : undefined
  if (question !== undefined) return reportDecision(packet, question, found)
  const said =
    packet.content === null ? 'taken back by its author' : contentText(packet.content, CONTENT_LENGTH)
  return {
    text: `${repoName(found, packet.repo_id)} shared in project ${found.project.name} (${kind}, ${packet.timestamp}): ${said}`,
    sources: [packetSource(packet)],
  }
}

/** A decision is reported with its question before it, and with contradicting decisions after it. */
function reportDecision(decision: PacketEntity, question: PacketEntity, found: ProjectView): Passage {
  const { not_among_options, contradicted_by = [], replaced_by } = remarksIn(found)(decision)
  const said = contentText(decision.content ?? {}, CONTENT_LENGTH)
  const others = contradicted_by.flatMap((id) => found.packets.get(id) ?? [])
  const against = others.map(({ repo_id }) => repoName(found, repo_id))
  return {
    text: [
      `${repoName(found, decision.repo_id)} decided in project ${found.project.name} (${decision.timestamp}) on the question ${asked(question)}: ${said}`,
      replaced_by === undefined ? '' : ' It has decided anew since: this does not hold any more.',
      not_among_options ? ' This is not among the options of the question.' : '',
      against.length === 0 ? '' : ` ${namesIn(against)} decided otherwise: nothing is settled.`,
    ].join(''),
    sources: [packetSource(decision), packetSource(question)],
  }
}

const projectSource = ({ project }: ProjectView): Source => ({
  uri: `cacp:project/${project.project_id}`,
  title: project.name,
  quote: cutAt(project.objective, QUOTE_LENGTH),
})

export const contractSource = (contract: ContractEntity): Source => ({
  uri: `cacp:contract/${contract.contract_id}`,
  title: contract.name,
  quote: cutAt(JSON.stringify(contract.head.content), QUOTE_LENGTH),
})

const packetSource = (packet: PacketEntity): Source => ({
  uri: `cacp:packet/${packet.packet_id}`,
  title: packet.type,
  quote: contentText(packet.content ?? {}, QUOTE_LENGTH),
})

function waiting(found: ProjectView): Waiting[] {
  return [...found.contracts.oldestFirst()].flatMap((contract) => waitingFor(contract, found) ?? [])
}

function waitingPassage(one: Waiting): Passage {
  const { contract, status } = one
  return {
    text: `- ${contract.name} (${status}, version ${contract.head.version}) ${waitText(one)}.`,
    sources: [contractSource(contract)],
  }
}

function waitText({ on, to }: Waiting): string {
  return `waits for ${on.length === 0 ? 'any repository' : namesIn(on)} to ${to}`
}

function asked({ content }: PacketEntity): string {
  const question = content?.['question']
  return typeof question === 'string'
    ? cutAt(question, QUOTE_LENGTH)
    : contentText(content ?? {}, QUOTE_LENGTH)
}

const byStatus = (found: ProjectView): string =>
  Array.from(
    contractsByStatus(found),
    ([status, contracts]) => `${contracts.length} ${status} (${namesIn(contracts.map(({ name }) => name))})`,
  ).join('; ')

function section(title: string, passages: readonly Passage[]): Passage[] {
  if (passages.length === 0) return []
  const more = passages.length - MOST_NAMED
  const rest = more > 0 ? [{ text: `- and ${more} more`, sources: [] }] : []
  return [{ text: title, sources: [] }, ...passages.slice(0, MOST_NAMED), ...rest]
}

const namesIn = (names: readonly string[]): string => listed(names, MOST_NAMED) || 'none'

const objective = (text: string): string => (text === '' ? '' : sentence(`Objective: ${text}`))

const sentence = (text: string): string => (text === '' ? '' : /[.!?]$/.test(text) ? `${text} ` : `${text}. `)

/** The content of a packet as a sentence; empty fields are left out. */
function contentText(content: JsonObject, most: number): string {
  const texts = Object.entries(content)
    .filter(([, value]) => value !== null && value !== '' && JSON.stringify(value) !== '[]')
    .map(([key, value]) => `${key.replaceAll('_', ' ')}: ${valueText(value)}`)
  return cutAt(texts.join('; '), most)
}

function valueText(value: Json | undefined): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
