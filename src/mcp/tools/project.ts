import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { lines, listIn, said, textIn, within } from '../text.ts'
import { ADDS, type Turn, tool } from '../tool.ts'
import { contractText, standingText } from './contract-text.ts'
import { contractId, EXAMPLE_PROJECT } from './ids.ts'
import { overviewOf, overviewText, packetText, type RepoNames, reposOf } from './project-text.ts'
import { inToolWords } from './tool-call.ts'

const MOST_LISTED = { projects: 50, contracts: 100, packets: 10 }

const Input = z.strictObject({
  action: z.enum(['show', 'create', 'join']).default('show'),
  projectId: z.string().optional().describe('ID or name'),
  contractId: contractId.optional(),
  packetId: z.string().optional(),
  name: z.string().optional(),
  objective: z.string().optional(),
  repos: z.array(z.string()).optional().describe('names of all repositories that take part, also your own'),
  repoName: z.string().optional().describe('to join as another repo than your own'),
})
type Input = z.output<typeof Input>

export const project = tool({
  name: 'project',
  title: 'Look at, create or join projects',
  description:
    'Without arguments: the projects. projectId: its repos, contracts and newest context. With contractId too: that contract, whole. With packetId too: that conversation. action create {name, objective, repos}: begin a feature across repositories. action join {projectId}: take part with your repository.',
  hints: ADDS,
  input: Input,
  example: { projectId: EXAMPLE_PROJECT },
  run: async (given, turn) => {
    const { action, projectId, contractId, packetId } = given
    if (action === 'create') return createProject(given, turn)
    if (action === 'join') return joinProject(given, turn)
    if (contractId !== undefined)
      return (await contractShown(await resolveProjectId(projectId, turn), contractId, turn)).text
    if (packetId !== undefined) return threadAnswer(await resolveProjectId(projectId, turn), packetId, turn)
    return projectId === undefined ? listProjects(turn) : projectAnswer(projectId, turn)
  },
})

const resolveProjectId = async (projectId: string | undefined, { call }: Turn): Promise<string> =>
  projectId ?? textIn(await call('cacp/lookup', {}), 'projectId')

async function createProject({ name, objective, repos }: Input, { call }: Turn): Promise<string> {
  if (name === undefined || objective === undefined)
    throw new Fault('invalid_params', `${name === undefined ? 'name' : 'objective'} required to create`, {
      next: 'project {"action":"create","name":"User login","objective":"OAuth login in web and API","repos":["backend-api","frontend-app"]}',
    })
  const named = repos === undefined ? {} : { repos: repos.map((repo) => ({ name: repo })) }
  const answer = await call('cacp/project/create', { name, objective, ...named })
  const hint = textIn(answer, 'hint')
  return lines(
    `project ${answer['projectId']} created with ${answer['repoCount']} repos`,
    hint === '' ? undefined : `next: ${inToolWords(hint)}`,
  )
}

async function joinProject({ projectId, repoName }: Input, { call }: Turn): Promise<string> {
  if (projectId === undefined)
    throw new Fault('invalid_params', 'projectId required to join', {
      next: 'project without arguments lists the projects with their ids',
    })
  const answer = await call('cacp/project/join', { projectId, ...defined({ repoName }) })
  return `joined project ${projectId} ${said(answer['projectName'])} as repo ${answer['repoId']}\nnext: inbox {}`
}

async function listProjects({ call }: Turn): Promise<string> {
  const answer = await call('cacp/project/overview', { limit: MOST_LISTED.projects })
  const projects = listIn(answer, 'projects')
  if (projects.length === 0)
    return 'No projects yet. Create one with action create, or wait {} for an invitation.'
  const more = answer['nextCursor']
  return within(
    lines(
      projects.map(overviewText),
      more !== undefined &&
        `There are more: call ${JSON.stringify({ method: 'cacp/project/overview', params: { cursor: more } })}`,
    ),
    'Look at one with project {projectId}',
  )
}

async function projectAnswer(projectId: string, { call }: Turn): Promise<string> {
  const [overview, contracts, context] = await Promise.all([
    overviewOf(projectId, { call }),
    call('cacp/contract/list', { projectId, limit: MOST_LISTED.contracts }),
    call('cacp/context/list', { projectId, limit: MOST_LISTED.packets }),
  ])
  const repos = reposOf(overview)
  const more = contracts['nextCursor']
  return within(
    lines(
      overviewText(overview),
      `objective: ${said(overview['objective'], 500)}`,
      listIn(overview, 'repos').map(repoLine),
      listIn(contracts, 'contracts').map(
        (one) =>
          `contract ${textIn(one, 'contractId')} ${said(one['name'])} v${one['version']} ${textIn(one, 'status')}, by ${repos(one['proposedBy'])}${contractLine(one, repos)}`,
      ),
      more !== undefined &&
        `More contracts: call ${JSON.stringify({ method: 'cacp/contract/list', params: { projectId, cursor: more } })}`,
      listIn(context, 'packets').map((packet) => packetText(packet, repos, 300)),
    ),
    'Look at one contract or packet',
  )
}

const contractLine = (contract: JsonObject, repos: RepoNames): string =>
  standingText(contract, repos)
    .filter((text) => text !== '')
    .map((text) => `; ${text}`)
    .join('')

const repoLine = (repo: JsonObject): string =>
  `repo ${said(repo['name'])} (${said(repo['role'])}): ${repo['agentId'] === null ? 'nobody joined yet' : said(repo['agentId'])}`

export async function contractShown(projectId: string, contractId: string, { call }: Pick<Turn, 'call'>) {
  const [overview, contract] = await Promise.all([
    overviewOf(projectId, { call }),
    call('cacp/contract/get', { projectId, contractId }),
  ])
  const text = within(
    contractText(contract, projectId, reposOf(overview)),
    `All of it is the resource cacp://contract/${projectId}/${contractId}`,
  )
  return { contract, text }
}

async function threadAnswer(projectId: string, packetId: string, { call }: Turn): Promise<string> {
  const [overview, { thread = [] }] = await Promise.all([
    overviewOf(projectId, { call }),
    call('cacp/context/getThread', { projectId, packetId }),
  ])
  const repos = reposOf(overview)
  return within(
    lines(listIn({ thread }, 'thread').map((packet) => packetText(packet, repos, 4000))),
    'The rest: call cacp/context/getThread with after = the last packet above',
  )
}
