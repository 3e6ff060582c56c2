import * as z from 'zod'
import type { Env } from '../../domain/env.ts'
import { maySee } from '../../domain/lookup.ts'
import { type PlainReceiver, plainReceiver, type ReceivedObject } from '../../domain/plain/receive.ts'
import type { View } from '../../domain/view.ts'
import { FAULTS, Fault } from '../../protocol/fault.ts'
import { FreeObject, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Id } from '../../protocol/words.ts'
import { EXAMPLE, method } from '../row.ts'

/**
 * The methods by which plain peers hand over what they did; it is reported for their own repo. Daemons that sign
 * their statements use cacp/sync/statements.
 */

const SourceAgent = z
  .string()
  .max(256)
  .optional()
  .describe('AID of the daemon that sends this; nobody sends in the name of another')
const outcome = {
  status: z.enum(['created', 'updated', 'skipped', 'error']),
  reason: z.string().optional().describe('why it was skipped or refused'),
  kind: z.string().optional().describe('of an error: what kind'),
  retryable: z.boolean().optional().describe('of an error: whether sending it again later can help'),
}
const ALREADY_KNOWN = 'already known'
const receiving = { access: 'sync', noted: 'changes', refusesInResult: true } as const

/** The same fault for a project that the caller may not see. */
const unknownProject = (projectId: string): Fault =>
  new Fault('unknown_project', `No project ${projectId} here`, {
    next: 'Send it with cacp/project/sync first',
    data: { projectId },
  })

/** The sender of a change is recorded, so it must be the caller. */
function assertInOwnName(source: string | undefined, { caller }: Env): void {
  if (source === undefined || source === caller.agentId) return
  throw new Fault('forbidden', `source_agent: ${caller.agentId} cannot send in the name of ${source}`, {
    next: 'Send your own AID, or leave source_agent out',
    data: { field: 'source_agent' },
  })
}

/** Refuses daemons that sign their own statements: nobody reports for them. */
function assertPlain(view: View, { caller: { agentId }, self }: Env): void {
  if (agentId === self.agentId)
    throw new Fault('forbidden', `${agentId} is the agent of this daemon, which says what it does itself`, {
      next: 'Use the methods that do something, such as cacp/contract/respond',
    })
  if (view.peers.get(agentId)?.identity === undefined) return
  throw new Fault('forbidden', `${agentId} signs what it says, and hands it over with cacp/sync/statements`, {
    next: "Send its statements with cacp/sync/statements; the document's sync methods are for peers that sign nothing",
  })
}

/** Reads a part of a project that a plain peer hands over. */
function receive(
  view: View,
  { projectId, source_agent }: { projectId: string; source_agent?: string | undefined },
  { env, read }: { env: Env; read: (receiver: PlainReceiver) => ReceivedObject },
) {
  assertInOwnName(source_agent, env)
  assertPlain(view, env)
  const found = view.projects.get(projectId)
  if (found === undefined || !maySee(found, env.caller)) throw unknownProject(projectId)
  const receiver = plainReceiver(view, projectId, env)
  const { id, ...outcome } = read(receiver)
  return { id, result: syncResultOf(outcome), effects: receiver.effects() }
}

/** Each part is read separately, which costs time even if it is refused. */
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

function syncResultOf({ status, refusal }: Pick<ReceivedObject, 'status' | 'refusal'>) {
  if (refusal === undefined) return status === 'skipped' ? { status, reason: ALREADY_KNOWN } : { status }
  const { message: reason, kind } = refusal
  return { status: 'error' as const, reason, kind, retryable: FAULTS[kind].retryable }
}

export const syncProject = method({
  name: 'cacp/project/sync',
  summary: 'Receive project state from a peer that signs nothing.',
  ...receiving,
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
    params: { project: EXAMPLE.project, source_agent: EXAMPLE.agentId },
    result: { status: 'created', projectId: EXAMPLE.projectId },
  },
}).decide((view, { project, source_agent }, env) => {
  assertInOwnName(source_agent, env)
  assertFewParts(project)
  assertPlain(view, env)
  const projectId = typeof project['project_id'] === 'string' ? project['project_id'] : ''
  const known = view.projects.get(projectId)
  if (known !== undefined && !maySee(known, env.caller)) throw unknownProject(projectId)
  const receiver = plainReceiver(view, projectId, env)
  const head = receiver.project(project)
  if (head.refusal !== undefined) return { result: { ...syncResultOf(head), projectId } }
  const parts = receiver.parts(project)
  const hasNews = head.status === 'skipped' && parts.some(({ status }) => status !== 'skipped')
  const refused = parts.flatMap(({ kind, id, refusal }) =>
    refusal === undefined ? [] : [{ kind, id: id === '' ? null : id, reason: refusal.message }],
  )
  return {
    result: {
      ...syncResultOf(hasNews ? { status: 'updated', refusal: undefined } : head),
      projectId,
      ...(refused.length === 0 ? {} : { refused }),
    },
    ...receiver.effects(),
  }
})

export const syncContract = method({
  name: 'cacp/contract/sync',
  summary: 'Receive contract update from a peer that signs nothing.',
  ...receiving,
  params: z.object({
    projectId: Id,
    contract: FreeObject.describe('the full contract with its history, as cacp/contract/get returns it'),
    source_agent: SourceAgent,
  }),
  result: z.object({ ...outcome, contractId: z.string().optional(), version: z.int().optional() }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      contract: { ...EXAMPLE.contract, history: [] },
      source_agent: EXAMPLE.agentId,
    },
    result: { status: 'updated', contractId: EXAMPLE.contractId, version: 1 },
  },
}).decide((view, { contract, ...given }, env) => {
  const { id, result, effects } = receive(view, given, { env, read: (one) => one.contract(contract) })
  return {
    ...effects,
    tell: (after) => {
      const version = after.projects.get(given.projectId)?.contracts.get(id)?.head.version
      return { ...result, contractId: id, ...(version === undefined ? {} : { version }) }
    },
  }
})

export const syncContext = method({
  name: 'cacp/context/sync',
  summary: 'Receive context packet from a peer that signs nothing.',
  ...receiving,
  params: z.object({
    projectId: Id,
    packet: FreeObject.describe('the full packet, as cacp/context/list returns it'),
    source_agent: SourceAgent,
  }),
  result: z.object({ ...outcome, packetId: z.string().optional() }),
  example: {
    params: { projectId: EXAMPLE.projectId, packet: EXAMPLE.packet, source_agent: EXAMPLE.agentId },
    result: { status: 'created', packetId: EXAMPLE.packetId },
  },
}).decide((view, { packet, ...given }, env) => {
  const { id, result, effects } = receive(view, given, { env, read: (one) => one.packet(packet) })
  return { result: { ...result, packetId: id }, ...effects }
})

export const syncRepo = method({
  name: 'cacp/repo/sync',
  summary: 'Receive a repository from a peer that signs nothing.',
  ...receiving,
  params: z.object({
    projectId: Id,
    repo: FreeObject.describe('the full repo, as cacp/project/get returns it'),
    source_agent: SourceAgent,
  }),
  result: z.object({ ...outcome, repoId: z.string().optional() }),
  example: {
    params: {
      projectId: EXAMPLE.projectId,
      repo: {
        repo_id: EXAMPLE.repoId,
        name: 'backend-api',
        role: 'backend',
        language: 'python',
        assigned_agent: EXAMPLE.agentId,
      },
      source_agent: EXAMPLE.agentId,
    },
    result: { status: 'updated', repoId: EXAMPLE.repoId },
  },
}).decide((view, { repo, ...given }, env) => {
  const { id, result, effects } = receive(view, given, { env, read: (one) => one.repo(repo) })
  return { result: { ...result, repoId: id }, ...effects }
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
    params: { agentId: EXAMPLE.agentId, endpoint: 'http://127.0.0.1:8081', repoName: 'frontend-app' },
    result: { status: 'acknowledged', myAgentId: EXAMPLE.agentId, myRepoName: 'backend-api' },
  },
}).serve(({ peers }, { repoName }, { env }) =>
  peers.hear(repoName, env).then(() => ({
    status: 'acknowledged',
    myAgentId: env.self.agentId,
    myRepoName: env.self.repo,
  })),
)
