import { z } from 'zod'
import { contractChange } from '../domain/change.ts'
import { headOf, newContract, respond as respondTo, revise, statusOf } from '../domain/contract.ts'
import { contractOf, memberOf, openProjectOf, repoNamed } from '../domain/lookup.ts'
import type { Contract } from '../domain/model.ts'
import { type Kept, resolve as settle } from '../domain/resolve.ts'
import type { ProjectView } from '../domain/view.ts'
import { Fault } from '../protocol/fault.ts'
import { Content, type JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { ContractStatus, ContractType, Id, Name, ResponseAction, Text } from '../protocol/words.ts'
import { EXAMPLE_CONTENT, EXAMPLE_CONTRACT_ID, EXAMPLE_PROJECT_ID } from './examples.ts'
import { method } from './row.ts'
import { Detailed } from './shapes.ts'

export const propose = method({
  name: 'cacp/contract/propose',
  summary: 'Propose a new interface contract.',
  access: 'write',
  permission: 'contract:propose',
  params: z.object({
    projectId: Id,
    type: ContractType,
    name: Name,
    content: Content.describe('the interface itself, in whatever schema fits its type'),
    parties: z
      .array(Name)
      .min(1)
      .max(LIMITS.repos)
      .optional()
      .describe('names of the repos that must implement it; default: all repos of the project'),
  }),
  result: z.object({ contractId: z.string(), version: z.int(), status: ContractStatus }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      type: 'api_endpoint',
      name: 'Get User Profile',
      content: EXAMPLE_CONTENT,
    },
    result: { contractId: EXAMPLE_CONTRACT_ID, version: 1, status: 'proposed' },
  },
}).decide((view, { projectId, type, name, content, parties }, env) => {
  const found = openProjectOf(view, projectId, env)
  const contract = newContract({
    id: env.newId(),
    type,
    name,
    content,
    repoId: memberOf(view, found, env).repo_id,
    parties: partiesOf(found, parties),
    now: env.now,
  })
  return {
    result: { contractId: contract.contract_id, version: 1, status: statusOf(contract) },
    changes: [contractChange(projectId, contract)],
  }
})

function partiesOf(found: ProjectView, names: readonly string[] | undefined): string[] {
  if (names === undefined) return Array.from(found.repos.oldestFirst(), (repo) => repo.repo_id)
  return [...new Set(names)].map((name) => {
    const repo = repoNamed(found, name)
    if (repo !== undefined) return repo.repo_id
    throw new Fault('not_found', `parties: project ${found.project.project_id} has no repo named ${name}`, {
      next: 'Add it with cacp/project/addRepo',
      data: { field: 'parties', repoName: name },
    })
  })
}

const ReadVersion = z
  .int()
  .min(1)
  .optional()
  .describe('the version you read; refused when it has moved on since')

function expectVersion(contract: Contract, version: number | undefined): void {
  const head = headOf(contract).version
  if (version !== undefined && version !== head)
    throw new Fault('conflict', `Contract ${contract.contract_id} is at version ${head}, not ${version}`, {
      next: 'Read it again with cacp/contract/get',
      data: { contractId: contract.contract_id, version: head },
    })
}

const ANSWERED = { agree: 'agreed', request_change: 'change_requested', reject: 'rejected' } as const

export const respond = method({
  name: 'cacp/contract/respond',
  summary: 'Respond to a contract proposal: agree, request_change or reject.',
  access: 'write',
  permission: 'contract:respond',
  params: z.object({
    projectId: Id,
    contractId: Id,
    action: ResponseAction,
    comment: Text.default(''),
    suggestedChange: Detailed.nullish(),
    version: ReadVersion,
  }),
  result: z.object({
    status: z.enum(['agreed', 'change_requested', 'rejected']),
    version: z.int(),
    contractVersion: z.int(),
    contractStatus: ContractStatus,
  }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      contractId: EXAMPLE_CONTRACT_ID,
      action: 'agree',
      comment: 'Looks good!',
    },
    result: { status: 'agreed', version: 1, contractVersion: 1, contractStatus: 'agreed' },
  },
}).decide((view, { projectId, contractId, action, comment, suggestedChange, version }, env) => {
  const found = openProjectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  const repo = memberOf(view, found, env)
  expectVersion(contract, version)
  const head = headOf(contract)
  if (head.proposed_by === repo.repo_id && found.repos.size > 1)
    throw new Fault(
      'conflict',
      `${repo.name} wrote version ${head.version} of contract ${contractId} and cannot respond to itself`,
      {
        next: 'Another repo of the project has to answer; to change it yourself call cacp/contract/update',
        data: { contractId },
      },
    )
  const answered = respondTo(
    contract,
    {
      response_id: env.newId(),
      repo_id: repo.repo_id,
      agent_id: env.caller.agentId,
      action,
      comment,
      suggested_change: suggestedChange ?? null,
    },
    env.now,
  )
  return {
    result: {
      status: ANSWERED[action],
      version: head.version,
      contractVersion: head.version,
      contractStatus: statusOf(answered),
    },
    changes: [contractChange(projectId, answered)],
  }
})

export const update = method({
  name: 'cacp/contract/update',
  summary: 'Update contract content while it is proposed or negotiating; makes a new version.',
  access: 'write',
  permission: 'contract:propose',
  params: z.object({
    projectId: Id,
    contractId: Id,
    content: Content,
    changeNote: Text.optional(),
    changeNotes: Text.optional().describe('the same as changeNote'),
    version: ReadVersion,
  }),
  result: z.object({ contractId: z.string(), version: z.int(), status: ContractStatus }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      contractId: EXAMPLE_CONTRACT_ID,
      content: EXAMPLE_CONTENT,
      changeNote: 'Made avatar field nullable',
    },
    result: { contractId: EXAMPLE_CONTRACT_ID, version: 2, status: 'proposed' },
  },
}).decide((view, { projectId, contractId, content, changeNote, changeNotes, version }, env) => {
  const found = openProjectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  const repoId = memberOf(view, found, env).repo_id
  expectVersion(contract, version)
  const revised = revise(contract, {
    content,
    repoId,
    changeNotes: changeNote ?? changeNotes ?? '',
    now: env.now,
  })
  return {
    result: { contractId, version: headOf(revised).version, status: statusOf(revised) },
    changes: [contractChange(projectId, revised)],
  }
})

const Keep = z.enum(['winner', 'loser', 'content'])

export const resolve = method({
  name: 'cacp/contract/resolve',
  summary: 'Settle the conflicts that updates on both sides of a partition left; makes a new version.',
  access: 'write',
  permission: 'contract:propose',
  params: z.object({
    projectId: Id,
    contractId: Id,
    keep: Keep.describe('winner: what stands now; loser: what lost to it; content: what you send'),
    revision: z.string().max(64).optional().describe('with keep loser: which one, if several lost'),
    content: Content.optional().describe('with keep content'),
    changeNote: Text.default(''),
    version: ReadVersion,
  }),
  result: z.object({
    contractId: z.string(),
    version: z.int(),
    status: ContractStatus,
    resolved: z.int().describe('how many losing revisions this settles'),
  }),
  example: {
    params: {
      projectId: EXAMPLE_PROJECT_ID,
      contractId: EXAMPLE_CONTRACT_ID,
      keep: 'loser',
      changeNote: 'the avatar stays nullable',
    },
    result: { contractId: EXAMPLE_CONTRACT_ID, version: 3, status: 'proposed', resolved: 1 },
  },
}).decide((view, { projectId, contractId, version, changeNote, ...choice }, env) => {
  const found = openProjectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  const repoId = memberOf(view, found, env).repo_id
  expectVersion(contract, version)
  const settled = settle(contract, { kept: keptBy(choice), repoId, changeNotes: changeNote, now: env.now })
  const head = headOf(settled)
  return {
    result: {
      contractId,
      version: head.version,
      status: statusOf(settled),
      resolved: head.resolves.length,
    },
    changes: [contractChange(projectId, settled)],
  }
})

interface Choice {
  keep: z.output<typeof Keep>
  revision?: string | undefined
  content?: JsonObject | undefined
}

/** What a call says beyond what it keeps is a misunderstanding, and told. */
function keptBy({ keep, revision, content }: Choice): Kept {
  if (revision !== undefined && keep !== 'loser') throw misplaced('revision', 'is for keep loser only')
  if (content !== undefined && keep !== 'content') throw misplaced('content', 'is for keep content only')
  if (keep !== 'content') return { keep, revision }
  if (content === undefined) throw misplaced('content', 'required with keep content')
  return { keep, content }
}

function misplaced(field: string, problem: string): Fault {
  return new Fault('invalid_params', `${field} ${problem}`, { data: { field } })
}
