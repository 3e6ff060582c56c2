import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { firstOf } from '../../protocol/collections/iterables.ts'
import { ContractStatus, ContractType, listOf, ProjectStatus, Texts } from '../../protocol/words.ts'
import { isInForce } from '../brief/background.ts'
import { decisionHoldsIn, remarksIn } from '../context/decision.ts'
import { talkAbout } from '../context/question.ts'
import { isOpenQuestion, nextStep, repoName, repoNames, type Step, workStep } from '../contract/next-step.ts'
import { toDecideAnew } from '../inbox/inbox.ts'
import { cutAt } from '../names/quoted.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity } from '../views/entities.ts'
import { projectStatus } from './project.ts'

const ForceSummary = z.object({
  contractId: z.string(),
  name: z.string(),
  type: ContractType,
  version: z.int(),
  status: ContractStatus,
  parties: Texts.describe('the repos that it binds'),
  proposed: z
    .object({ version: z.int(), status: ContractStatus })
    .optional()
    .describe('the version that is to take its place'),
})

const DecisionSummary = z.object({
  packetId: z.string(),
  repo: z.string(),
  at: z.string(),
  decision: z.string(),
  chosen: z.string(),
  rationale: z.string(),
  contradictedBy: Texts.optional().describe('packet ids of decisions of others that choose something else'),
})

const OwedSummary = z.object({
  kind: z.enum(['contract', 'question']),
  id: z.string(),
  name: z.string().describe('of a question what it asks'),
  version: z.int().optional(),
  status: ContractStatus.optional(),
  repos: Texts.describe('whose turn it is; empty: any repo’s'),
  to: z.enum(['answer it', 'propose a new version', 'implement it', 'verify it', 'decide the same']),
  objectedBy: Texts.optional(),
  from: z.string().optional().describe('who asked'),
  since: z.string(),
})
type OwedSummary = z.output<typeof OwedSummary>

/** A project on one page: objective, repos, contracts in force, decisions, and who has to do what next. */
export const Summary = z.object({
  projectId: z.string(),
  name: z.string(),
  objective: z.string(),
  status: ProjectStatus,
  archived: z.boolean(),
  repos: listOf(
    z.object({
      name: z.string(),
      role: z.string(),
      agentId: z.string().nullable().describe('null: nobody joined as it'),
    }),
  ),
  inForce: listOf(ForceSummary).describe('oldest first'),
  decisions: listOf(DecisionSummary).describe('newest first'),
  owed: listOf(OwedSummary),
  truncated: z.boolean().describe('there is more than is listed'),
})
type Summary = z.output<typeof Summary>

/** Most names in a list, and most characters of a text. */
const MOST_NAMES = 5
const TEXT_LENGTH = 500
/** Most entities searched, from the newest on, so that the cost does not grow with the state. */
const MOST_CONTRACTS_SEARCHED = 2000
const MOST_PACKETS_SEARCHED = 2000

/** At most this many entries of each kind, and the packets that the summary quotes. */
export function summarize(found: ProjectView, most: number) {
  const { project_id: projectId, name, objective, archived } = found.project
  const contracts = firstOf(found.contracts.newestFirst(), MOST_CONTRACTS_SEARCHED).reverse()
  const inForce = contracts.filter(isInForce)
  const toDo = contracts.flatMap((contract) => owedOn(contract, found))
  const { decisions, questions, isCut } = decisionsAndQuestions(found, most)
  const owed = [...toDo, ...questions.map((packet) => owedOnQuestion(packet, found))]
  const remarks = remarksIn(found)
  const summary: Summary = {
    projectId,
    name,
    objective: cutAt(objective, 4 * TEXT_LENGTH),
    status: projectStatus(found),
    archived,
    repos: Array.from(found.repos.oldestFirst(), (repo) => ({
      name: repo.name,
      role: repo.role,
      agentId: repo.holder?.agent_id ?? null,
    })).slice(0, most),
    inForce: inForce.slice(0, most).map((contract) => forceSummary(contract, found)),
    decisions: decisions.map((packet) => decisionSummary(packet, found, remarks(packet).contradicted_by)),
    owed: owed.slice(0, most),
    truncated:
      isCut ||
      found.contracts.size > contracts.length ||
      inForce.length > most ||
      owed.length > most ||
      found.repos.size > most,
  }
  return { summary, packets: [...decisions, ...questions] }
}

const firstNames = (repoIds: readonly string[], found: ProjectView): string[] =>
  repoNames(found, repoIds).slice(0, MOST_NAMES)

function forceSummary(contract: ContractEntity, found: ProjectView): Summary['inForce'][number] {
  const { contract_id: contractId, name, type, head } = contract
  const { revision, status } = contract.in_force ?? { revision: head, status: contract.status }
  const isChanging = revision.id !== head.id
  return {
    contractId,
    name,
    type,
    version: revision.version,
    status,
    parties: firstNames(revision.parties, found),
    ...(isChanging ? { proposed: { version: head.version, status: contract.status } } : {}),
  }
}

/** The next steps: on the head, and on the revision in force. */
function owedOn(contract: ContractEntity, found: ProjectView): OwedSummary[] {
  const { contract_id: id, name, head, in_force, objections } = contract
  const owed = (step: Step, version: number): OwedSummary => ({
    kind: 'contract',
    id,
    name,
    version,
    status: step.status,
    repos: firstNames(step.on, found),
    to: step.to,
    ...(objections.length === 0 || version !== head.version
      ? {}
      : { objectedBy: firstNames(objections, found) }),
    since: contract.updated_at,
  })
  const onHead = nextStep(contract)
  const isChanging = in_force !== undefined && in_force.revision.id !== head.id && !head.retire
  const onWork = isChanging ? workStep(contract) : undefined
  return [
    ...(onHead === undefined ? [] : [owed(onHead, head.version)]),
    ...(onWork === undefined || in_force === undefined ? [] : [owed(onWork, in_force.revision.version)]),
  ]
}

function owedOnQuestion(packet: PacketEntity, found: ProjectView): OwedSummary {
  const anew = toDecideAnew(packet, talkAbout(packet, found))
  const repoIds = anew.map(({ repoId }) => repoId)
  return {
    kind: 'question',
    id: packet.packet_id,
    name: textIn(packet, 'question'),
    repos: firstNames(repoIds, found),
    to: anew.length === 0 ? 'answer it' : 'decide the same',
    from: repoName(found, packet.repo_id),
    since: anew.at(-1)?.at ?? packet.timestamp,
  }
}

/** Whether a question is undecided, or decided differently by different repos. */
const isUnsettled = (packet: PacketEntity, found: ProjectView): boolean =>
  packet.type === 'question' &&
  (isOpenQuestion(packet, found) || toDecideAnew(packet, talkAbout(packet, found)).length > 0)

function decisionSummary(
  packet: PacketEntity,
  found: ProjectView,
  contradictedBy: readonly string[] | undefined,
): Summary['decisions'][number] {
  return {
    packetId: packet.packet_id,
    repo: repoName(found, packet.repo_id),
    at: packet.timestamp,
    decision: textIn(packet, 'decision'),
    chosen: textIn(packet, 'chosen'),
    rationale: textIn(packet, 'rationale'),
    ...defined({ contradictedBy: contradictedBy?.slice(0, MOST_NAMES) }),
  }
}

function textIn({ content }: PacketEntity, key: string): string {
  const value = content?.[key]
  return typeof value === 'string' ? cutAt(value, TEXT_LENGTH) : ''
}

/** The newest decisions that hold and the newest unsettled questions. */
function decisionsAndQuestions(found: ProjectView, most: number) {
  const decisions: PacketEntity[] = []
  const questions: PacketEntity[] = []
  const stands = decisionHoldsIn(found)
  let left = MOST_PACKETS_SEARCHED
  for (const packet of found.packets.newestFirst()) {
    if (left-- === 0) return { decisions, questions, isCut: true }
    const list = stands(packet) ? decisions : isUnsettled(packet, found) ? questions : undefined
    if (list?.length === most) return { decisions, questions, isCut: true }
    list?.push(packet)
  }
  return { decisions, questions, isCut: false }
}
