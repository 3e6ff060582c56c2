import { oneLine } from '../domain/names/quoted.ts'
import { Fault } from '../protocol/fault.ts'
import type { JsonObject } from '../protocol/json/json.ts'
import { listIn, textIn } from './text.ts'
import type { Turn } from './tool.ts'
import { overviewOf } from './tools/project-text.ts'

/** The lists are for people to choose from; search finds the rest. */
const MOST_LISTED = { projects: 50, contracts: 200, perProject: 100 }

interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly title: string
}

interface ResourceKind {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly template: string
  list(turn: Turn): Promise<readonly ListedResource[]>
  /** Answered as JSON. */
  read(ids: Readonly<Record<string, string | string[]>>, turn: Turn): Promise<JsonObject>
}

const idIn = (ids: Readonly<Record<string, string | string[]>>, key: string): string => {
  const id = ids[key]
  if (typeof id === 'string') return decodeURIComponent(id)
  throw new Fault('invalid_params', `${key} required`)
}

/** Clients show it to people on one line. */
const titled = (one: JsonObject): string => oneLine(textIn(one, 'name'))

const projects = async ({ call }: Turn): Promise<readonly JsonObject[]> =>
  listIn(await call('cacp/project/overview', { limit: MOST_LISTED.projects }), 'projects')

const project: ResourceKind = {
  name: 'project',
  title: 'Project',
  description: 'The repositories of a project, and its contracts in short.',
  template: 'cacp://project/{projectId}',
  list: async (turn) =>
    (await projects(turn)).map((one) => ({
      uri: `cacp://project/${textIn(one, 'projectId')}`,
      name: textIn(one, 'projectId'),
      title: titled(one),
    })),
  read: async (ids, turn) => {
    const projectId = idIn(ids, 'projectId')
    const [overview, contracts] = await Promise.all([
      overviewOf(projectId, turn),
      turn.call('cacp/contract/list', { projectId, limit: MOST_LISTED.contracts }),
    ])
    return { ...overview, ...contracts }
  },
}

const contract: ResourceKind = {
  name: 'contract',
  title: 'Contract',
  description: 'A contract with its content, answers, implementations and conflicts.',
  template: 'cacp://contract/{projectId}/{contractId}',
  list: async (turn) => {
    const listed: ListedResource[] = []
    for (const one of await projects(turn)) {
      const limit = Math.min(MOST_LISTED.perProject, MOST_LISTED.contracts - listed.length)
      if (limit <= 0) break
      const projectId = textIn(one, 'projectId')
      const answer = await turn.call('cacp/contract/list', { projectId, limit })
      for (const found of listIn(answer, 'contracts'))
        listed.push({
          uri: `cacp://contract/${projectId}/${textIn(found, 'contractId')}`,
          name: textIn(found, 'contractId'),
          title: `${titled(found)} v${found['version']} ${textIn(found, 'status')}`,
        })
    }
    return listed
  },
  read: (ids, { call }) =>
    call('cacp/contract/get', { projectId: idIn(ids, 'projectId'), contractId: idIn(ids, 'contractId') }),
}

export const RESOURCES: readonly ResourceKind[] = [project, contract]
