import { z } from 'zod'
import { contractChange } from '../domain/change.ts'
import { contractStamp, headOf, nextBase, statusOf } from '../domain/contract.ts'
import type { Env } from '../domain/env.ts'
import {
  completeImplementation,
  startImplementation,
  verifyImplementations,
  type Work,
  workOn,
} from '../domain/implementation.ts'
import { contractOf, memberOf, openProjectOf, projectOf } from '../domain/lookup.ts'
import type { Contract } from '../domain/model.ts'
import { renderImplementation, shownFiles } from '../domain/render.ts'
import type { View } from '../domain/view.ts'
import { Fault } from '../protocol/fault.ts'
import { stampAfter } from '../protocol/stamp.ts'
import {
  ContractStatus,
  Endpoint,
  Id,
  ImplementationStatus,
  Text,
  VerificationResult,
} from '../protocol/words.ts'
import {
  EXAMPLE_AGENT,
  EXAMPLE_CONTRACT_ID,
  EXAMPLE_PROJECT_ID,
  EXAMPLE_REPO_ID,
  EXAMPLE_TIME,
} from './examples.ts'
import { method } from './row.ts'
import { Detailed, FilePaths } from './shapes.ts'

const Target = { projectId: Id, contractId: Id }
const EXAMPLE_TARGET = { projectId: EXAMPLE_PROJECT_ID, contractId: EXAMPLE_CONTRACT_ID }

interface Task {
  contract: Contract
  work: Work
}

/** Finds the contract and checks that its status lets this member do the action on its head. */
function taskOf(
  view: View,
  { projectId, contractId }: { projectId: string; contractId: string },
  { action, env }: { action: 'start' | 'complete' | 'verify'; env: Env },
): Task {
  const found = openProjectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  const repo = memberOf(view, found, env)
  nextBase(contract, action)
  if (action !== 'verify' && !contract.parties.includes(repo.repo_id))
    throw new Fault(
      'conflict',
      `${repo.name} is not a party of contract ${contractId} and has nothing to implement`,
      {
        next: 'Only the repos named as parties when it was proposed implement it',
        data: { contractId },
      },
    )
  const at = stampAfter(env.now, contractStamp(contract))
  return {
    contract,
    work: { repoId: repo.repo_id, agentId: env.caller.agentId, revision: headOf(contract).id, at },
  }
}

export const start = method({
  name: 'cacp/implementation/start',
  summary: 'Signal that you are starting implementation.',
  access: 'write',
  permission: 'implementation:update',
  params: z.object({ ...Target, plan: Text.default(''), estimatedFiles: FilePaths.default([]) }),
  result: z.object({
    status: z.literal('started'),
    implementationId: z.string(),
    contractStatus: ContractStatus,
  }),
  example: {
    params: { ...EXAMPLE_TARGET, plan: 'Will implement GET endpoint with SQLAlchemy ORM' },
    result: {
      status: 'started',
      implementationId: `${EXAMPLE_CONTRACT_ID}:${EXAMPLE_REPO_ID}`,
      contractStatus: 'agreed',
    },
  },
}).decide((view, { plan, estimatedFiles, ...target }, env) => {
  const { contract, work } = taskOf(view, target, { action: 'start', env })
  const started = startImplementation(contract, work, { plan, estimated_files: estimatedFiles })
  return {
    result: {
      status: 'started',
      implementationId: `${target.contractId}:${work.repoId}`,
      contractStatus: statusOf(started),
    },
    changes: [contractChange(target.projectId, started)],
  }
})

export const complete = method({
  name: 'cacp/implementation/complete',
  summary: 'Mark your implementation as complete.',
  access: 'write',
  permission: 'implementation:update',
  params: z.object({
    ...Target,
    files: FilePaths,
    notes: Text.default(''),
    testEndpoint: Endpoint.nullish().describe('where the others can try it'),
  }),
  result: z.object({ status: z.literal('complete'), contractStatus: ContractStatus }),
  example: {
    params: { ...EXAMPLE_TARGET, files: ['src/routes/user.py', 'src/models/user.py'] },
    result: { status: 'complete', contractStatus: 'agreed' },
  },
}).decide((view, { files, notes, testEndpoint, ...target }, env) => {
  const { contract, work } = taskOf(view, target, { action: 'complete', env })
  const completed = completeImplementation(contract, work, {
    files,
    notes,
    test_endpoint: testEndpoint ?? null,
  })
  return {
    result: { status: 'complete', contractStatus: statusOf(completed) },
    changes: [contractChange(target.projectId, completed)],
  }
})

const VERIFIED = { success: 'verified', failure: 'failed', partial: 'partial' } as const

export const verify = method({
  name: 'cacp/implementation/verify',
  summary: 'Verify that the integration works: success, failure or partial.',
  access: 'write',
  permission: 'implementation:update',
  params: z.object({
    ...Target,
    result: VerificationResult,
    notes: Text.default(''),
    failureDetails: Detailed.nullish(),
  }),
  result: z.object({ status: z.enum(['verified', 'failed', 'partial']), contractStatus: ContractStatus }),
  example: {
    params: { ...EXAMPLE_TARGET, result: 'success', notes: 'Integration tests passing' },
    result: { status: 'verified', contractStatus: 'verified' },
  },
}).decide((view, { result, notes, failureDetails, ...target }, env) => {
  const { contract, work } = taskOf(view, target, { action: 'verify', env })
  const verified = verifyImplementations(contract, work, {
    verification_id: env.newId(),
    result,
    notes,
    failure_details: failureDetails ?? null,
  })
  return {
    result: { status: VERIFIED[result], contractStatus: statusOf(verified) },
    changes: [contractChange(target.projectId, verified)],
  }
})

export const getStatus = method({
  name: 'cacp/implementation/getStatus',
  summary: 'See how far each party is with a contract.',
  access: 'read',
  permission: 'project:read',
  params: z.object(Target),
  result: z.object({
    contractId: z.string(),
    contractStatus: ContractStatus,
    implementations: z.array(
      z.object({
        repoId: z.string(),
        agentId: z.string(),
        status: ImplementationStatus,
        files: z.array(z.string()).readonly(),
        startedAt: z.string().nullable(),
        completedAt: z.string().nullable(),
      }),
    ),
    waitingFor: z.array(z.string()).describe('repo ids of the parties that are not complete'),
  }),
  example: {
    params: EXAMPLE_TARGET,
    result: {
      contractId: EXAMPLE_CONTRACT_ID,
      contractStatus: 'agreed',
      implementations: [
        {
          repoId: EXAMPLE_REPO_ID,
          agentId: EXAMPLE_AGENT,
          status: 'in_progress',
          files: [],
          startedAt: EXAMPLE_TIME,
          completedAt: null,
        },
      ],
      waitingFor: [EXAMPLE_REPO_ID],
    },
  },
}).decide((view, { projectId, contractId }, env) => {
  const contract = contractOf(projectOf(view, projectId, env), contractId)
  const current = workOn(contract, headOf(contract).id).map((one) => renderImplementation(contract, one))
  const done = new Set(current.filter((one) => one.status === 'complete').map((one) => one.repo_id))
  return {
    result: {
      contractId,
      contractStatus: statusOf(contract),
      implementations: current.map((one) => ({
        repoId: one.repo_id,
        agentId: one.agent_id,
        status: one.status,
        files: shownFiles(one),
        startedAt: one.started_at,
        completedAt: one.completed_at,
      })),
      waitingFor: contract.parties.filter((party) => !done.has(party)),
    },
  }
})
