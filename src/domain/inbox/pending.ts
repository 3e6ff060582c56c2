import { compareText } from '../../protocol/json/canonical.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { talkAbout } from '../context/question.ts'
import { lastEvent } from '../contract/latest-event.ts'
import { nextStep, repoName, repoNames, type Step } from '../contract/next-step.ts'
import { turnsOfContract } from '../contract/turns.ts'
import type { Caller } from '../env.ts'
import { contractOf, packetOf, projectOf } from '../lookup.ts'
import { cutAt } from '../names/quoted.ts'
import { projectStatus } from '../project/project.ts'
import { checkGate, repoToCheck } from '../proof/gate.ts'
import type { ProjectView, View } from '../view.ts'
import type { ContractEntity, PacketEntity } from '../views/entities.ts'
import type { Goal } from './wait-goal.ts'

const MOST_REPOS_NAMED = 10
const QUESTION_LENGTH = 200

/** The state of a goal that is not reached: whose turn it is, since when, and who acted last. */
export function pendingOf(
  view: View,
  { contract, question, project, gate }: Goal,
  caller: Caller,
): JsonObject | undefined {
  const goal = contract ?? question ?? gate ?? project
  if (goal === undefined) return undefined
  const found = projectOf(view, goal.projectId, { caller })
  if (contract !== undefined) return pendingContract(contractOf(found, contract.contractId), found)
  if (question !== undefined) return pendingQuestion(packetOf(found, question.packetId), found)
  if (gate !== undefined) return pendingGate(found, gate)
  const { project_id: projectId, name } = found.project
  return { projectId, name, status: projectStatus(found) }
}

/** The first contract that keeps the gate from an answer. */
function pendingGate(
  found: ProjectView,
  { projectId, repo, ...asked }: NonNullable<Goal['gate']>,
): JsonObject {
  const { answer, rows } = checkGate({ found, repo: repoToCheck(found, repo), ...asked })
  const [first] = rows
  return {
    projectId,
    name: `the gate of ${repo}`,
    status: answer,
    ...(first?.ask === undefined ? {} : { waitsFor: first.ask.slice(0, MOST_REPOS_NAMED), to: 'act' }),
  }
}

function pendingContract(contract: ContractEntity, found: ProjectView): JsonObject {
  const { contract_id: contractId, name, status, head, objections } = contract
  const { value, did } = lastEvent(contract)
  const step = nextStep(contract)
  return {
    projectId: found.project.project_id,
    contractId,
    name,
    status,
    version: head.version,
    ...(step && { waitsFor: firstNames(found, step.on), to: step.to, ...since(contract, step) }),
    ...(objections.length > 0 && { objectedBy: firstNames(found, objections) }),
    last: { repo: repoName(found, value.repo_id), did, at: value.timestamp },
  }
}

const firstNames = (found: ProjectView, repoIds: readonly string[]): string[] =>
  repoNames(found, repoIds).slice(0, MOST_REPOS_NAMED)

/** Since when it has been the turn of the first repo that has to act. */
function since(contract: ContractEntity, { on }: Step): { since?: Stamp } {
  const [first] = turnsOfContract(contract)
    .duties.filter(({ to }) => on.length === 0 || ('only' in to && on.includes(to.only)))
    .map((duty) => duty.since)
    .sort(compareText)
  return first === undefined ? {} : { since: first }
}

function pendingQuestion(question: PacketEntity, found: ProjectView): JsonObject {
  const asked = question.content?.['question']
  const spoken = talkAbout(question, found).last
  const words = [...spoken.values()]
  const last = words.reduce<(typeof words)[number] | undefined>(
    (newest, one) => (newest === undefined || one.at > newest.at ? one : newest),
    undefined,
  )
  return {
    projectId: found.project.project_id,
    packetId: question.packet_id,
    name: typeof asked === 'string' ? cutAt(asked, QUESTION_LENGTH) : '',
    waitsFor: [],
    to: 'answer it',
    since: spoken.get(question.repo_id)?.at ?? question.timestamp,
    last: {
      repo: repoName(found, last?.repoId ?? question.repo_id),
      did: last === undefined || last.packetId === question.packet_id ? 'asked' : 'replied',
      at: last?.at ?? question.timestamp,
    },
  }
}
