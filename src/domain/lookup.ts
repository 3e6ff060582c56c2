import { Fault } from '../protocol/fault.ts'
import type { Caller, Env } from './env.ts'
import { actsElsewhere, mayActFor } from './home.ts'
import { lostClaims } from './lost-claim.ts'
import type { Contract, Packet, Repo } from './model.ts'
import { quoted } from './quoted.ts'
import { activeClaim } from './repo.ts'
import type { ProjectView, Shelf, View } from './view.ts'

/** Finds what a call names, or says clearly what is missing and how to get it. */

export function projectOf(view: View, projectId: string, { caller }: Pick<Env, 'caller'>): ProjectView {
  const found = view.projects.get(projectId)
  if (found === undefined || !maySee(found, caller))
    throw new Fault('not_found', `No project ${projectId} here`, {
      next: 'List the projects with cacp/project/list',
      data: { projectId },
    })
  return found
}

/** The project of this id, or else the one of this very name. */
export function projectCalled(view: View, word: string, env: Pick<Env, 'caller'>): ProjectView {
  const found = view.projects.get(word)
  if (found !== undefined && maySee(found, env.caller)) return found
  const isCalled = (one: ProjectView) => one.project.name.value === word && maySee(one, env.caller)
  const named = onlyOne(
    'projects',
    word,
    matching(view.projects, isCalled),
    ({ project }) => project.project_id,
  )
  return named ?? projectOf(view, word, env)
}

/** The same for a contract of a project. */
export function contractCalled(found: ProjectView, word: string): Contract {
  const { contracts } = found
  const named = () =>
    onlyOne(
      'contracts',
      word,
      matching(contracts, ({ name }) => name === word),
      (one) => one.contract_id,
    )
  return contracts.get(word) ?? named() ?? contractOf(found, word)
}

/** The same for a repo, of which a project has no two of one name. */
export function repoCalled(found: ProjectView, word: string): Repo {
  const repo = found.repos.get(word) ?? repoNamed(found, word)
  if (repo !== undefined) return repo
  const { project_id: projectId } = found.project
  throw new Fault('not_found', `Project ${projectId} has no repo ${word}`, {
    next: 'Look at its repos with cacp/project/get',
    data: { projectId, repo: word },
  })
}

/** Of those that go by one name, so many are told. */
const CANDIDATES = 10

function matching<Value>(shelf: Shelf<Value>, isCalled: (value: Value) => boolean): Value[] {
  const found: Value[] = []
  for (const value of shelf.newestFirst()) {
    if (isCalled(value)) found.push(value)
    if (found.length > CANDIDATES) break
  }
  return found
}

function onlyOne<Value>(
  noun: string,
  word: string,
  found: readonly Value[],
  idOf: (value: Value) => string,
): Value | undefined {
  if (found.length <= 1) return found[0]
  const candidates = found.slice(0, CANDIDATES).map(idOf)
  const count = found.length > CANDIDATES ? `More than ${CANDIDATES}` : found.length
  throw new Fault(
    'invalid_params',
    `${count} ${noun} are called ${quoted(word, 80)}: ${candidates.join(', ')}`,
    {
      next: 'Name the one that you mean by its id',
      data: { candidates },
    },
  )
}

/** Like projectOf, for calls that change something. */
export function openProjectOf(view: View, projectId: string, env: Env): ProjectView {
  const found = projectOf(view, projectId, env)
  if (found.project.archived.value)
    throw new Fault('conflict', `Project ${projectId} is archived`, {
      next: 'Bring it back with cacp/project/archive {"archived": false}',
      data: { projectId },
    })
  return found
}

/** Whoever looks at a project: any caller, or a peer that it may be sent to. */
export type Viewer = Pick<Caller, 'kind' | 'repoName' | 'grant'>

/** The one rule of who sees which project; whatever shows, lists, sends or takes in something asks it. */
export function maySee(found: ProjectView, { kind, repoName, grant }: Viewer): boolean {
  const { project_id, visibility } = found.project
  switch (kind) {
    case 'operator':
    case 'open':
      return true
    case 'peer':
      // Kept among its members, it is not shown to peers whose repo it does not name.
      return visibility === 'all' || (repoName !== null && repoNamed(found, repoName) !== undefined)
    case 'known':
      return visibility === 'all'
    case 'token':
      return project_id === grant?.projectId
    case 'anonymous':
      return false
    default:
      return kind satisfies never
  }
}

export function contractOf({ project, contracts }: ProjectView, contractId: string): Contract {
  const found = contracts.get(contractId)
  if (found === undefined)
    throw new Fault('not_found', `No contract ${contractId} in project ${project.project_id}`, {
      next: 'List the contracts with cacp/contract/list',
      data: { projectId: project.project_id, contractId },
    })
  return found
}

export function packetOf({ project, packets }: ProjectView, packetId: string): Packet {
  const found = packets.get(packetId)
  if (found === undefined)
    throw new Fault('not_found', `No packet ${packetId} in project ${project.project_id}`, {
      next: 'List the packets with cacp/context/list',
      data: { projectId: project.project_id, packetId },
    })
  return found
}

export function repoNamed({ repos }: ProjectView, name: string): Repo | undefined {
  for (const repo of repos.oldestFirst()) if (repo.name === name) return repo
  return undefined
}

/** The repo that an agent holds in a project. */
export function repoOfAgent({ project, repos }: ProjectView, agentId: string): Repo | undefined {
  for (const repo of repos.oldestFirst()) if (activeClaim(repo, project)?.agent_id === agentId) return repo
  return undefined
}

/** The repo that the caller acts for; only members may change what a project holds. */
export function memberOf(view: View, found: ProjectView, env: Env): Repo {
  const { agentId } = env.caller
  const repo = repoOfAgent(found, agentId)
  const claim = repo && activeClaim(repo, found.project)
  if (repo === undefined || claim === undefined)
    throw outvoted(found, agentId) ?? notMember(found, env.caller)
  if (!mayActFor(view, claim, env)) throw actsElsewhere(agentId)
  return repo
}

/** Whoever claimed a repo that somebody else holds is told who that is. */
function outvoted({ project, repos }: ProjectView, agentId: string): Fault | undefined {
  for (const repo of repos.oldestFirst()) {
    const holder = lostClaims(repo, project).get(agentId)?.holder
    if (holder === undefined) continue
    const { agent_id: heldBy, claimed_at: since } = holder
    return new Fault(
      'not_member',
      `${agentId} does not hold repo ${repo.name} of project ${project.project_id}: ${heldBy} has held it since ${since}, which is earlier`,
      {
        next: 'Join as another repo, or ask that agent to call cacp/repo/release: your claim then holds',
        data: { projectId: project.project_id, agentId, repoName: repo.name, heldBy, since },
      },
    )
  }
  return undefined
}

function notMember(found: ProjectView, { agentId, repoName }: Caller): Fault {
  const { project_id: projectId } = found.project
  const own = repoName === null ? undefined : repoNamed(found, repoName)
  return new Fault('not_member', `${agentId} holds no repo of project ${projectId}`, {
    next:
      own === undefined
        ? 'Add your repo with cacp/project/addRepo (or start cacpd with --repo NAME if it goes by another name), then call cacp/project/join'
        : `Call cacp/project/join with repoName ${own.name} first`,
    data: { projectId, agentId },
  })
}
