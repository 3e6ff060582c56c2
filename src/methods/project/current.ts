import * as z from 'zod'
import { isLocal } from '../../domain/delivery/receipt.ts'
import { type Caller, ownerOf } from '../../domain/env.ts'
import { contractOf, openProjectOf, packetOf, projectOf } from '../../domain/lookup.ts'
import { nameOrIdOf } from '../../domain/names/find-by-name.ts'
import { chosenProject, isCurrentProject, onlyProject } from '../../domain/project/current.ts'
import type { ProjectView } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import { AnyProjectWord, ContractWord, PacketWord, ProjectWord, RepoWord } from '../../protocol/named.ts'
import { Flag, manyOf, Texts } from '../../protocol/words.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'

/** The current project of an agent, for calls that name none. Local to this daemon. */

const Current = z.object({
  projectId: z.string().nullable().describe('null: none, so that it has to be named'),
  name: z.string().nullable(),
  isSet: z.boolean().describe('false: it is meant because there is no other open one'),
})
const EXAMPLE_CURRENT = { projectId: EXAMPLE.projectId, name: 'User Auth Feature', isSet: true }

export const use = method({
  name: 'cacp/project/use',
  summary: 'Choose the project that your calls mean where they name none.',
  access: 'write',
  params: z
    .object({ projectId: AnyProjectWord.optional(), clear: Flag.describe('choose none any more') })
    .refine(({ projectId, clear }) => (projectId === undefined) === clear, {
      path: ['projectId'],
      error: 'name the project, or clear the choice: one of the two',
    }),
  result: Current,
  example: { params: { projectId: 'User Auth Feature' }, result: EXAMPLE_CURRENT },
}).decide((view, { projectId }, env) => {
  const { caller } = env
  assertLocal(caller)
  const { agentId: agent_id } = caller
  const id = ownerOf(caller)
  if (projectId === undefined)
    return {
      result: shown(onlyProject(view, caller), false),
      local: [{ table: 'current', id, value: null }],
    }
  const found = openProjectOf(view, projectId, env)
  const { project_id, name } = found.project
  return {
    result: shown(found, true),
    local: [{ table: 'current', id, value: { agent_id, project_id, name } }],
  }
})

export const current = method({
  name: 'cacp/project/current',
  summary: 'See which project your calls mean where they name none.',
  access: 'read',
  params: z.object({}),
  result: Current,
  example: { params: {}, result: EXAMPLE_CURRENT },
}).decide((view, _params, { caller }) => {
  const chosen = chosenProject(view, caller)
  return { result: shown(chosen ?? onlyProject(view, caller), chosen !== undefined) }
})

const shown = (found: ProjectView | undefined, isSet: boolean): z.output<typeof Current> => ({
  projectId: found?.project.project_id ?? null,
  name: found?.project.name ?? null,
  isSet,
})

/** The current projects of other daemons' agents are stored there. */
function assertLocal(caller: Caller): void {
  if (isLocal(caller)) return
  throw new Fault('forbidden', `${caller.agentId} may not choose a project here`, {
    next: 'Choose it at the daemon of your own repository, or name the project in every call',
  })
}

/** Replaces names by ids, as dispatch does with all params, for callers that need the ids beforehand. */
export const lookup = method({
  name: 'cacp/lookup',
  summary:
    'Find what is meant: each word is an id, or the exact name within its project, or at least 6 characters that one id alone begins with.',
  ...readsProject,
  params: z.object({
    projectId: ProjectWord,
    contracts: manyOf(ContractWord).default([]).describe('IDs or names'),
    packets: manyOf(PacketWord).default([]).describe('IDs, or what questions ask'),
    repos: manyOf(RepoWord).default([]).describe('names or IDs'),
  }),
  result: z.object({
    projectId: z.string(),
    projectName: z
      .string()
      .describe('what it goes by: its name or, where that means another one too, its id'),
    isCurrent: z.boolean().describe('whether you may leave out projectId and mean this project'),
    contractIds: Texts.describe('in the order of contracts'),
    contractNames: Texts.describe('what these go by, as projectName'),
    packetIds: Texts.describe('in the order of packets'),
    repoNames: Texts.describe('in the order of repos; what is no repo of the project as it is written'),
  }),
  example: {
    params: { projectId: 'User Auth Feature', contracts: ['Get User Profile'] },
    result: {
      projectId: EXAMPLE.projectId,
      projectName: 'User Auth Feature',
      isCurrent: true,
      contractIds: [EXAMPLE.contractId],
      contractNames: ['Get User Profile'],
      packetIds: [],
      repoNames: [],
    },
  },
}).decide((view, { projectId, contracts, packets, repos }, env) => {
  const found = projectOf(view, projectId, env)
  const meant = contracts.map((id) => contractOf(found, id))
  return {
    result: {
      projectId,
      projectName: nameOrIdOf.project(view, found, env),
      isCurrent: isCurrentProject(view, found, env),
      contractIds: meant.map((one) => one.contract_id),
      contractNames: meant.map((one) => nameOrIdOf.contract(found, one)),
      packetIds: packets.map((id) => packetOf(found, id).packet_id),
      repoNames: repos,
    },
  }
})
