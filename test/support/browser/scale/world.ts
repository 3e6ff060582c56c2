import { callAll, callOnce } from '../../../../bench/http-request.ts'
import { type Call, createProject, joinAs } from '../../../../bench/material.ts'
import type { Running } from '../../../../bench/workshop.ts'
import type { ParamsOf } from '../../../../src/methods/table.ts'

/** How much there is in what the screens are looked at with. */
export interface WorldSize {
  /** Repositories that the map shows. */
  readonly repos: number
  /** Local agents of them, which propose contracts to so many others each. */
  readonly agents: number
  readonly contractsEach: number
  /** Packets of one conversation. */
  readonly packets: number
  /** Versions of one contract. */
  readonly versions: number
  /** Characters of the content of one contract, in JSON. */
  readonly characters: number
  readonly peers: number
  readonly runs: number
}

/** Where the screens are to look. */
export interface World {
  readonly projectId: string
  /** A contract of many versions, about which all packets are. */
  readonly discussed: string
  /** The first packet of the long conversation. */
  readonly question: string
  /** A contract with a large content, in three versions. */
  readonly large: string
}

type At = Pick<Running, 'port' | 'key'>

/** The repository of the daemon that is looked at. */
export const OWN_REPO = 'frontend-app'

const ROLES = ['backend', 'frontend', 'shared', 'infrastructure']
const repoName = (number: number) => `service-${String(number).padStart(3, '0')}`
const agentOf = (repo: string) => `aid://example.com/${repo}@1.0.0`

/** Puts a large project, its contracts, conversations, peers and runs into a daemon. */
export async function furnish(at: At, size: WorldSize): Promise<World> {
  const projectId = await addProjects(at, size)
  const discussed = await propose(at, { projectId, name: 'Discussed', content: contentOf(1) })
  await callAll(
    at,
    Array.from({ length: size.versions - 1 }, (_, number) =>
      update({ projectId, contractId: discussed, content: contentOf(number + 2) }),
    ),
  )
  const question = await converse(at, { projectId, discussed, packets: size.packets })
  const large = await addLarge(at, projectId, size.characters)
  for (const [make, count] of [
    [addPeer, size.peers],
    [ask, size.runs],
  ] as const)
    await abreast([...Array(count).keys()], async (numbers) => {
      for (const number of numbers) await make(at, number)
    })
  return { projectId, discussed, question, large }
}

/** Projects of so many repos: one daemon brings at most 200 to each. */
const REPOS_EACH = 180

/** Answers the first of the projects, in which this daemon takes part. */
async function addProjects(at: At, size: WorldSize): Promise<string> {
  const projectIds: string[] = []
  for (let from = 0; from < size.repos; from += REPOS_EACH)
    projectIds.push(await addProject(at, size, Math.min(REPOS_EACH, size.repos - from), from))
  return projectIds[0] ?? ''
}

async function addProject(at: At, size: WorldSize, repos: number, from: number): Promise<string> {
  const { projectId } = await callOnce<{ projectId: string }>(at, createProject(from))
  const names = Array.from({ length: repos }, (_, number) => repoName(from + number))
  await callAll(
    at,
    names.map((name, number) => ({
      method: 'cacp/project/addRepo',
      params: { projectId, name, role: ROLES[number % ROLES.length] },
    })),
  )
  await callOnce(at, joinAs(projectId, OWN_REPO))
  const agents = Math.ceil((size.agents * repos) / size.repos)
  for (const [number, repo] of names.slice(0, agents).entries()) {
    await callOnce(at, { ...joinAs(projectId, repo), agent: agentOf(repo) })
    const proposals = Array.from({ length: size.contractsEach }, (_, step) => {
      const other = names[(number + (step + 1) * 7) % repos] ?? repo
      return proposal({ projectId, name: `${repo} and ${other}`, parties: [repo, other] })
    })
    await callAll(at, proposals, agentOf(repo))
  }
  return projectId
}

const contentOf = (number: number) => ({ method: 'GET', path: `/users/{id}/profile/${number}` })

type Proposal = Pick<ParamsOf<'cacp/contract/propose'>, 'projectId' | 'name' | 'parties'> & {
  content?: ParamsOf<'cacp/contract/propose'>['content']
}

const proposal = ({ content = contentOf(0), ...rest }: Proposal): Call => ({
  method: 'cacp/contract/propose',
  params: { type: 'api_endpoint', content, ...rest },
})

const propose = async (at: At, what: Proposal): Promise<string> =>
  (await callOnce<{ contractId: string }>(at, proposal({ parties: [OWN_REPO, repoName(0)], ...what })))
    .contractId

const update = (params: ParamsOf<'cacp/contract/update'>): Call => ({
  method: 'cacp/contract/update',
  params,
})

interface Talk {
  readonly projectId: string
  readonly discussed: string
  readonly packets: number
}

async function converse(at: At, { projectId, discussed, packets }: Talk): Promise<string> {
  const about = { projectId, relatedContracts: [discussed] }
  const question = { ...about, question: 'How is a profile found?' }
  const { packetId } = await callOnce<{ packetId: string }>(at, {
    method: 'cacp/context/askQuestion',
    params: question,
  })
  const replies = Array.from({ length: packets - 1 }, (_, number) => ({
    method: 'cacp/context/share',
    params: {
      ...about,
      type: 'dependency_info',
      content: { answer: `Reply ${number}: by the ID of its user, which every token has` },
      replyTo: packetId,
    },
  }))
  await abreast(replies, (some) => callAll(at, some))
  return packetId
}

const ABREAST = 16

/** Writes that wait for the disk wait together. */
async function abreast<Item>(
  items: readonly Item[],
  make: (some: Item[]) => Promise<unknown>,
): Promise<void> {
  const lanes = Array.from({ length: ABREAST }, (_, lane) =>
    items.filter((_item, at) => at % ABREAST === lane),
  )
  await Promise.all(lanes.map(make))
}

/** Three versions, in which every tenth field differs. */
async function addLarge(at: At, projectId: string, characters: number): Promise<string> {
  const contentIn = (version: number) => {
    const endpoints: Record<string, Record<string, string>> = {}
    let length = 20
    for (let number = 0; ; number++) {
      const endpoint = { method: 'GET', path: `/v${number % 10 === 0 ? version : 1}/things/${number}` }
      length += JSON.stringify(endpoint).length + 20
      if (length > characters) return { endpoints }
      endpoints[`endpoint ${String(number).padStart(6, '0')}`] = endpoint
    }
  }
  const contractId = await propose(at, { projectId, name: 'Large', content: contentIn(1) })
  for (const version of [2, 3])
    await callOnce(at, update({ projectId, contractId, content: contentIn(version) }))
  return contractId
}

/** A daemon that nobody runs. */
async function addPeer(at: At, number: number): Promise<void> {
  const agentId = agentOf(repoName(number))
  const body = { agentId, endpoint: `http://127.0.0.1:${10 + number}`, repoName: repoName(number) }
  await post(at, '/peers/register', body)
}

/** The agent is asked for an echo, which it can do by itself. */
async function ask(at: At, number: number): Promise<void> {
  const text = `Say it ${number} times`
  await post(at, '/process', {
    input: [{ role: 'user', content: [{ type: 'text', text }] }],
    biz_params: { work_type: 'echo', text, repeat: 1 },
  })
}

async function post({ port, key }: At, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`)
}
