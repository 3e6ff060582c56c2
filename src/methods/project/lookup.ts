import * as z from 'zod'
import { contractOf, packetOf, projectOf } from '../../domain/lookup.ts'
import { nameOrIdOf } from '../../domain/names/find-by-name.ts'
import { isCurrentProject } from '../../domain/project/current.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ContractWord, PacketWord, ProjectWord, RepoWord } from '../../protocol/named.ts'
import { Texts } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { method } from '../row.ts'

/** Replaces names by ids, as dispatch does with all params, for callers that need the ids beforehand. */
export const lookup = method({
  name: 'cacp/lookup',
  summary:
    'Find what is meant: each word is an id, or the exact name within its project, or at least 6 characters that one id alone begins with.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: ProjectWord,
    contracts: z.array(ContractWord).max(LIMITS.listItems).default([]).describe('IDs or names'),
    packets: z.array(PacketWord).max(LIMITS.listItems).default([]).describe('IDs, or what questions ask'),
    repos: z.array(RepoWord).max(LIMITS.listItems).default([]).describe('names or IDs'),
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
