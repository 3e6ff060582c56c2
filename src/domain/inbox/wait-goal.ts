import * as z from 'zod'
import type { JsonObject } from '../../protocol/json/json.ts'
import { ContractWord, PacketWord, ProjectWord, RepoWord } from '../../protocol/named.ts'
import { ContractStatus, ProjectStatus } from '../../protocol/words.ts'
import { answerTo } from '../context/thread.ts'
import type { Caller } from '../env.ts'
import { contractOf, packetOf, projectOf } from '../lookup.ts'
import { projectStatus } from '../project/project.ts'
import { GRADES } from '../proof/evidence.ts'
import { checkGate, repoToCheck } from '../proof/gate.ts'
import { renderInForce } from '../render.ts'
import type { ProjectView, View } from '../view.ts'
import type { ContractEntity } from '../views/entities.ts'

/** What a caller can wait for. Exactly one key is given. */
const goals = {
  contract: z
    .object({
      projectId: ProjectWord,
      contractId: ContractWord,
      statusAtLeast: ContractStatus.optional().describe(`in the order ${ContractStatus.options.join(', ')}`),
      versionAbove: z.int().min(0).optional(),
    })
    .refine(
      ({ statusAtLeast, versionAbove }) => statusAtLeast !== undefined || versionAbove !== undefined,
      'must have statusAtLeast, versionAbove or both',
    )
    .optional()
    .describe('what is in force or proposed is this far, or newer; with both, a newer version is this far'),
  question: z
    .object({ projectId: ProjectWord, packetId: PacketWord })
    .optional()
    .describe('the question was answered'),
  project: z
    .object({ projectId: ProjectWord, status: ProjectStatus })
    .optional()
    .describe('the project is this far, or further'),
  gate: z
    .object({
      projectId: ProjectWord,
      repo: RepoWord.describe('name of the repo that wants to merge'),
      contractId: ContractWord.optional(),
      require: z.enum(GRADES).optional(),
    })
    .optional()
    .describe('the gate of a repo says yes or no, and is not unknown any more'),
  inbox: z
    .object({})
    .optional()
    .describe('there is something for you to do: an item of your inbox that is not of low urgency'),
  feed: z.object({ since: z.string() }).optional().describe('something changed since this cursor'),
}

const Goal = z.object(goals).refine(hasOne, `must have exactly one of ${Object.keys(goals).join(', ')}`)
export type Goal = z.output<typeof Goal>

export const Until = z
  .object({
    ...goals,
    any: z.array(Goal).min(1).max(16).optional().describe('the first of these that becomes true'),
  })
  .refine(hasOne, `must have exactly one of ${Object.keys(goals).join(', ')}, any`)
export type Until = z.output<typeof Until>

function hasOne(until: object): boolean {
  return Object.values(until).filter((goal) => goal !== undefined).length === 1
}

export const goalsIn = (until: Until): readonly Goal[] => until.any ?? [until]

/** The result of a goal that can be decided from the state alone; undefined while it is not reached. */
export function reached(
  view: View,
  { contract, question, project, gate }: Goal,
  caller: Caller,
): JsonObject | undefined {
  const goal = gate ?? contract ?? question ?? project
  if (goal === undefined) return undefined
  const found = projectOf(view, goal.projectId, { caller })
  if (gate !== undefined) return aboutGate(found, gate)
  if (contract !== undefined) return aboutContract(contractOf(found, contract.contractId), contract)
  if (question !== undefined) return aboutQuestion(found, question)
  return project && aboutProject(found, project.status)
}

type ContractGoal = NonNullable<Goal['contract']>

/** The revision in force keeps its status while a change is negotiated. */
function isThere({ head, status, in_force }: ContractEntity, goal: ContractGoal): boolean {
  const { statusAtLeast = 'proposed', versionAbove = 0 } = goal
  const order: readonly string[] = ContractStatus.options
  const isSo = (version: number, far: ContractStatus) =>
    version > versionAbove && order.indexOf(far) >= order.indexOf(statusAtLeast)
  return (
    isSo(head.version, status) || (in_force !== undefined && isSo(in_force.revision.version, in_force.status))
  )
}

function aboutContract(contract: ContractEntity, goal: ContractGoal): JsonObject | undefined {
  if (!isThere(contract, goal)) return undefined
  return {
    projectId: goal.projectId,
    contractId: contract.contract_id,
    name: contract.name,
    status: contract.status,
    version: contract.head.version,
    inForce: renderInForce(contract),
    updatedAt: contract.updated_at,
  }
}

function aboutQuestion(
  found: ProjectView,
  { projectId, packetId }: NonNullable<Goal['question']>,
): JsonObject | undefined {
  const asked = packetOf(found, packetId)
  if (asked.redacted !== null) return { projectId, packetId, redacted: true }
  const answer = answerTo(found, asked)
  if (answer === undefined) return undefined
  const { packet_id: answerId, type, repo_id, agent_id: fromAgent, timestamp: at } = answer
  const from = found.repos.get(repo_id)?.name ?? repo_id
  return { projectId, packetId, answerId, type, from, fromAgent, at }
}

function aboutProject(found: ProjectView, goal: ProjectStatus): JsonObject | undefined {
  if (!hasReachedStatus(found, goal)) return undefined
  const { project_id: projectId, name } = found.project
  return { projectId, name, status: projectStatus(found) }
}

function aboutGate(found: ProjectView, goal: NonNullable<Goal['gate']>): JsonObject | undefined {
  const { projectId, repo: name, ...asked } = goal
  const { answer } = checkGate({ found, repo: repoToCheck(found, name), ...asked })
  return answer === 'unknown' ? undefined : { projectId, repo: name, answer }
}

/** Whether a project has reached this status, or a later one. */
export function hasReachedStatus(found: ProjectView, goal: ProjectStatus): boolean {
  const order: readonly string[] = ProjectStatus.options
  return order.indexOf(projectStatus(found)) >= order.indexOf(goal)
}
