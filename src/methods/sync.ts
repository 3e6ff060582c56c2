import { z } from 'zod'
import { type Absorbed, absorbContract, absorbPacket, absorbProject, absorbRepo } from '../domain/absorb.ts'
import { type LocalChange, packetChange } from '../domain/change.ts'
import { headOf } from '../domain/contract.ts'
import type { EntityName } from '../domain/entity.ts'
import type { Caller, Env } from '../domain/env.ts'
import { maySee } from '../domain/lookup.ts'
import { PlainReceiver, type Received } from '../domain/plain-receive.ts'
import { exceptOf } from '../domain/plain-shadow.ts'
import { namingsIn } from '../domain/shared-file.ts'
import type { ProjectView, View } from '../domain/view.ts'
import { Fault } from '../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { Id } from '../protocol/words.ts'
import {
  EXAMPLE_AGENT,
  EXAMPLE_CONTRACT,
  EXAMPLE_CONTRACT_ID,
  EXAMPLE_PACKET,
  EXAMPLE_PACKET_ID,
  EXAMPLE_PROJECT,
  EXAMPLE_PROJECT_ID,
  EXAMPLE_REPO_ID,
} from './examples.ts'
import { method } from './row.ts'

/** What peers call to hand over state. A merge that learns nothing writes nothing. */

export const SourceAgent = z
  .string()
  .max(256)
  .optional()
  .describe('AID of the daemon that sends this; nobody sends in the name of another')
export const SourceLife = Id.optional().describe('as in its cacp/sync/hello: nothing is echoed to it then')
export const outcome = {
  status: z.enum(['created', 'updated', 'skipped', 'error']),
  reason: z.string().optional().describe('why it was skipped or refused'),
  kind: z.string().optional().describe('of an error: what kind'),
  retryable: z.boolean().optional().describe('of an error: whether sending it again later can help'),
}
const ALREADY_KNOWN = 'already known'

export function receivingProject(view: View, projectId: string, env: Env): ProjectView {
  const found = view.projects.get(projectId)
  if (found !== undefined && maySee(found, env.caller)) return found
  throw unknownProject(projectId)
}

/** Also what is said of a project that is kept among others than the caller. */
const unknownProject = (projectId: string): Fault =>
  new Fault('unknown_project', `No project ${projectId} here`, {
    next: 'Send it with cacp/project/sync first',
    data: { projectId },
  })

/** Who handed a change on is written down, so that must be the one who calls. */
export function assertInOwnName(source: string | undefined, { caller }: Env): void {
  if (source === undefined || source === caller.agentId) return
  throw new Fault('forbidden', `source_agent: ${caller.agentId} cannot send in the name of ${source}`, {
    next: 'Send your own AID, or leave source_agent out',
    data: { field: 'source_agent' },
  })
}

/** Each is looked at on its own, which takes its time also where it is refused. */
function assertFewParts({ repos, contracts, context_history }: JsonObject): void {
  const lists = [repos, contracts, context_history].filter((list) => Array.isArray(list))
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count <= LIMITS.projectParts) return
  throw new Fault(
    'too_large',
    `project: comes with ${count} parts, at most ${LIMITS.projectParts} are taken`,
    {
      next: 'Send it without them, then each with cacp/repo/sync, cacp/contract/sync or cacp/context/sync',
      data: { field: 'project' },
    },
  )
}

export function told({ status, refusal }: Absorbed) {
  if (refusal !== undefined)
    return { status: 'error' as const, reason: refusal.message, kind: refusal.kind, retryable: false }
  return status === 'skipped' ? { status, reason: ALREADY_KNOWN } : { status }
}

/** What was shown but not taken whole is to be looked at again. */
const unlessRefused = ({ refusal }: Absorbed, { local }: Received): readonly LocalChange[] =>
  refusal === undefined ? local : []

/** What was taken as it came is what its sender has. */
export const sentBy = ({ agentId }: Caller, life: string | undefined, { isAsSent }: Absorbed) =>
  life !== undefined && isAsSent ? { sentBy: { agentId, life } } : {}

export const syncProject = method({
  name: 'cacp/project/sync',
  summary: 'Receive project state from a peer.',
  access: 'sync',
  noted: 'changes',
  refusesInResult: true,
  params: z.object({
    project: FreeObject.describe('the full project, as cacp/project/get returns it'),
    source_agent: SourceAgent,
  }),
  result: z.object({
    ...outcome,
    projectId: z.string().optional(),
    refused: z
      .array(z.object({ kind: z.string(), id: z.string().nullable(), reason: z.string() }))
      .optional()
      .describe('parts that were not taken; the others were'),
  }),
  example: {
    params: { project: EXAMPLE_PROJECT, source_agent: EXAMPLE_AGENT },
    result: { status: 'created', projectId: EXAMPLE_PROJECT_ID },
  },
}).decide((view, { project, source_agent }, env) => {
  assertInOwnName(source_agent, env)
  assertFewParts(project)
  const known = view.projects.get(typeof project['project_id'] === 'string' ? project['project_id'] : '')
  if (known !== undefined && !maySee(known, env.caller)) throw unknownProject(known.project.project_id)
  const { wire, local, only } = new PlainReceiver(view, env).project(project)
  const { refused, ...absorbed } = absorbProject(view, wire, { now: env.now, only })
  const names = refused.map(({ kind, id }) => ({ kind, project_id: absorbed.id, id }) as EntityName)
  return {
    result: { ...told(absorbed), projectId: absorbed.id, ...(refused.length === 0 ? {} : { refused }) },
    changes: absorbed.changes,
    isMerge: true,
    local: [...exceptOf(local, env.caller.agentId, names), ...namingsIn(view, absorbed.changes, env.caller)],
  }
})

export const syncContract = method({
  name: 'cacp/contract/sync',
  summary: 'Receive contract update from a peer.',
  access: 'sync',
  noted: 'changes',
  refusesInResult: true,
  params: z.object({
    projectId: Id,
    contract: FreeObject.describe('the full contract with its history, as cacp/contract/get returns it'),
    source_agent: SourceAgent,
    source_life: SourceLife,
  }),
  result: z.object({ ...outcome, contractId: z.string().optional(), version: z.int().optional() }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      contract: { ...EXAMPLE_CONTRACT, history: [] },
      source_agent: EXAMPLE_AGENT,
    },
    result: { status: 'updated', contractId: EXAMPLE_CONTRACT_ID, version: 1 },
  },
}).decide((view, { projectId, contract, source_agent, source_life }, env) => {
  assertInOwnName(source_agent, env)
  const found = receivingProject(view, projectId, env)
  const received = new PlainReceiver(view, env).contract(found, contract)
  const absorbed = absorbContract(found, received.wire, { now: env.now, only: received.only })
  return {
    result: { ...told(absorbed), contractId: absorbed.id, version: headOf(absorbed.value).version },
    changes: absorbed.changes,
    isMerge: true,
    local: unlessRefused(absorbed, received),
    ...sentBy(env.caller, source_life, absorbed),
  }
})

export const syncContext = method({
  name: 'cacp/context/sync',
  summary: 'Receive context packet from a peer.',
  access: 'sync',
  noted: 'changes',
  refusesInResult: true,
  params: z.object({
    projectId: Id,
    packet: FreeObject.describe('the full packet, as cacp/context/list returns it'),
    source_agent: SourceAgent,
    source_life: SourceLife,
  }),
  result: z.object({ ...outcome, packetId: z.string().optional() }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, packet: EXAMPLE_PACKET, source_agent: EXAMPLE_AGENT },
    result: { status: 'created', packetId: EXAMPLE_PACKET_ID },
  },
}).decide((view, { projectId, packet, source_agent, source_life }, env) => {
  assertInOwnName(source_agent, env)
  const found = receivingProject(view, projectId, env)
  const { wire, local, only } = new PlainReceiver(view, env).packet(found, packet)
  const absorbed = absorbPacket(found, wire, { now: env.now, only })
  return {
    result: { ...told(absorbed), packetId: absorbed.id },
    changes: absorbed.changes,
    isMerge: true,
    local: [...local, ...namingsIn(view, [packetChange(projectId, absorbed.value)], env.caller)],
    ...sentBy(env.caller, source_life, absorbed),
  }
})

export const syncRepo = method({
  name: 'cacp/repo/sync',
  summary: 'Receive a repository and its claims from a peer.',
  access: 'sync',
  noted: 'changes',
  refusesInResult: true,
  params: z.object({
    projectId: Id,
    repo: FreeObject.describe('the full repo, as cacp/project/get returns it'),
    source_agent: SourceAgent,
    source_life: SourceLife,
  }),
  result: z.object({ ...outcome, repoId: z.string().optional() }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      repo: {
        repo_id: EXAMPLE_REPO_ID,
        name: 'backend-api',
        role: 'backend',
        language: 'python',
        assigned_agent: EXAMPLE_AGENT,
      },
      source_agent: EXAMPLE_AGENT,
    },
    result: { status: 'updated', repoId: EXAMPLE_REPO_ID },
  },
}).decide((view, { projectId, repo, source_agent, source_life }, env) => {
  assertInOwnName(source_agent, env)
  const found = receivingProject(view, projectId, env)
  const received = new PlainReceiver(view, env).repo(found, repo)
  const absorbed = absorbRepo(found, received.wire, { now: env.now, only: received.only })
  return {
    result: { ...told(absorbed), repoId: absorbed.id },
    changes: absorbed.changes,
    isMerge: true,
    local: unlessRefused(absorbed, received),
    ...sentBy(env.caller, source_life, absorbed),
  }
})

export const announce = method({
  name: 'cacp/peer/announce',
  summary: 'Tell this daemon that a peer knows it; it answers who it is.',
  access: 'sync',
  noted: 'changes',
  params: z.object({
    agentId: z.string().max(256).optional(),
    endpoint: z.string().max(2048).optional(),
    repoName: z.string().max(200).optional(),
  }),
  result: z.object({ status: z.literal('acknowledged'), myAgentId: z.string(), myRepoName: z.string() }),
  example: {
    params: { agentId: EXAMPLE_AGENT, endpoint: 'http://127.0.0.1:8081', repoName: 'frontend-app' },
    result: { status: 'acknowledged', myAgentId: EXAMPLE_AGENT, myRepoName: 'backend-api' },
  },
}).serve(({ peers }, _params, { env: { caller, self } }) => {
  peers.hear(caller.agentId)
  return Promise.resolve({ status: 'acknowledged', myAgentId: self.agentId, myRepoName: self.repo })
})
