import type { ProjectView, View } from '../../src/domain/view.ts'
import type { ContractEntity } from '../../src/domain/views/entities.ts'
import type { Visibility } from '../../src/protocol/words.ts'
import type { Dice } from './dice.ts'
import { agentOf, HOSTILE, PLAIN, repoOf } from './names.ts'

/** A call that an agent might make, with a text that finds its effect again wherever it ends up. */
export interface Operation {
  readonly method: string
  readonly params: Record<string, unknown>
  /** Undefined when a later operation may rightly take the place of this one's words. */
  readonly tag: string | undefined
  /** The losing revisions that it ends the conflict with. */
  readonly settles?: readonly string[]
}

interface Circumstances {
  readonly view: View
  readonly dice: Dice
  readonly ownRepo: string
  readonly ownAgent: string
  readonly repos: readonly string[]
  readonly tag: string
  /** Whether members are added to a project that is kept among them. */
  readonly growsCircles: boolean
  /** Whether there are projects that are kept among their members. */
  readonly hasCircles: boolean
}

const WEIGHTS = {
  create: 1,
  addRepo: 1,
  join: 3,
  release: 0.7,
  settle: 0.5,
  propose: 3,
  contract: 9,
  share: 3,
  decide: 1,
  redact: 0.7,
  archive: 0.4,
} as const

/** Draws an operation that makes sense on what this daemon knows; whether it is allowed is up to the daemon. */
export function drawOperation(given: Circumstances): Operation {
  const { view, dice, ownRepo, repos, tag } = given
  const projects = [...view.projects.oldestFirst()]
  // A plain peer knows no visibility: it tells everybody who asks.
  const nameable = (visibility: Visibility) =>
    visibility === 'all' ? repos : repos.filter((repo) => repo !== repoOf(PLAIN))
  const kind = projects.length === 0 ? 'create' : dice.weighted(WEIGHTS)
  if (kind === 'create') {
    const visibility = given.hasCircles && dice.chance(0.25) ? 'members' : 'all'
    const named = nameable(visibility).filter((repo) => repo === ownRepo || dice.chance(0.6))
    return {
      method: 'cacp/project/create',
      params: {
        name: `P ${tag}`,
        objective: tag,
        repos: named.map((name) => ({ name, role: 'backend', language: 'typescript' })),
        visibility,
      },
      tag,
    }
  }
  const found = dice.pick(projects)
  const projectId = found.project.project_id
  const first = wayIn(found, given)
  if (first !== undefined && dice.chance(0.7)) return first
  const contracts = contractsToTurnTo(found, dice)
  switch (kind) {
    case 'addRepo': {
      if (found.project.visibility === 'members' && !given.growsCircles) return propose(projectId, tag)
      const name = dice.pick([...nameable(found.project.visibility), `extra-${tag}`])
      return {
        method: 'cacp/project/addRepo',
        params: { projectId, name, role: 'shared', language: 'any' },
        tag: undefined,
      }
    }
    case 'join': {
      const repoName = dice.chance(0.8) ? ownRepo : dice.pick(repos)
      return { method: 'cacp/project/join', params: { projectId, repoName }, tag: undefined }
    }
    case 'release':
      return { method: 'cacp/repo/release', params: { projectId }, tag: undefined }
    case 'settle':
      return settle(found, given) ?? propose(projectId, tag)
    case 'propose':
      return propose(projectId, tag)
    case 'contract':
      return contracts.length === 0
        ? propose(projectId, tag)
        : contractOperation(projectId, dice.pick(contracts), { dice, tag })
    case 'share':
      return {
        method: 'cacp/context/share',
        params: { projectId, type: 'code_snippet', content: { tag } },
        tag: undefined,
      }
    case 'decide':
      return {
        method: 'cacp/context/recordDecision',
        params: { projectId, decision: tag, chosen: 'yes', rationale: 'because' },
        tag: undefined,
      }
    case 'redact': {
      const packetId = [...found.packets.oldestFirst()].map((packet) => packet.packet_id)
      return {
        method: 'cacp/context/redact',
        params: { projectId, packetId: packetId.length === 0 ? 'none' : dice.pick(packetId), reason: tag },
        tag: undefined,
      }
    }
    case 'archive':
      return {
        method: 'cacp/project/archive',
        params: { projectId, archived: !found.project.archived },
        tag: undefined,
      }
    default:
      return kind satisfies never
  }
}

/** A look at what there is: where others wrote it for this repo, it leaves a receipt. */
export function drawLook({ projects }: View, dice: Dice): Operation | undefined {
  if (projects.size === 0) return undefined
  const { project, contracts, packets } = dice.pick([...projects.oldestFirst()])
  const projectId = project.project_id
  const contractIds = Array.from(contracts.oldestFirst(), (contract) => contract.contract_id)
  const packetIds = Array.from(packets.oldestFirst(), (packet) => packet.packet_id)
  const looks: Omit<Operation, 'tag'>[] = [
    { method: 'cacp/project/get', params: { projectId } },
    { method: 'cacp/context/list', params: { projectId, limit: 3 } },
  ]
  if (contractIds.length > 0)
    looks.push({ method: 'cacp/contract/get', params: { projectId, contractId: dice.pick(contractIds) } })
  if (packetIds.length > 0)
    looks.push({ method: 'cacp/context/getThread', params: { projectId, packetId: dice.pick(packetIds) } })
  return { ...dice.pick(looks), tag: undefined }
}

/** An open conflict calls for attention. */
function contractsToTurnTo({ contracts }: ProjectView, dice: Dice): ContractEntity[] {
  const all = [...contracts.oldestFirst()]
  const inConflict = all.filter(({ conflicts }) => conflicts.length > 0)
  return inConflict.length > 0 && dice.chance(0.6) ? inConflict : all
}

/** What has to happen before this daemon can do anything in the project. */
function wayIn(found: ProjectView, { ownRepo, ownAgent }: Circumstances): Operation | undefined {
  const { project, repos } = found
  const projectId = project.project_id
  if (project.archived)
    return { method: 'cacp/project/archive', params: { projectId, archived: false }, tag: undefined }
  if ([...repos.oldestFirst()].some(({ holder }) => holder?.agent_id === ownAgent)) return undefined
  return repoNames(found).includes(ownRepo)
    ? { method: 'cacp/project/join', params: { projectId, repoName: ownRepo }, tag: undefined }
    : {
        method: 'cacp/project/addRepo',
        params: { projectId, name: ownRepo, role: 'shared', language: 'any' },
        tag: undefined,
      }
}

/** Of several that claimed a repo one gets it; now and then whoever holds one is sent away. */
function settle({ project, repos }: ProjectView, { dice, ownRepo }: Circumstances): Operation | undefined {
  const claimed = [...repos.oldestFirst()].filter(({ name, claims }) => name !== ownRepo && claims.length > 0)
  const contested = claimed.filter(({ claims }) => claims.some(({ standing }) => standing === 'outranked'))
  const among = contested.length > 0 ? contested : claimed
  if (among.length === 0) return undefined
  const { name, claims } = dice.pick(among)
  // Nobody honest gives a repo to the one that is hostile.
  const trusted = claims.filter(({ agent_id }) => agent_id !== agentOf(HOSTILE))
  const holder = trusted.length === 0 || dice.chance(0.2) ? null : dice.pick(trusted).claim_id
  const until = dice.chance(0.5) ? { until: dice.pick(claims).claimed_at } : {}
  return {
    method: 'cacp/repo/settle',
    params: { projectId: project.project_id, repoName: name, holder, ...until },
    tag: undefined,
  }
}

const propose = (projectId: string, tag: string): Operation => ({
  method: 'cacp/contract/propose',
  params: { projectId, type: 'custom', name: `C ${tag}`, content: { tag } },
  tag,
})

export const updateOf = (target: { projectId: string; contractId: string }, tag: string): Operation => ({
  method: 'cacp/contract/update',
  params: { ...target, content: { tag }, changeNote: tag },
  tag,
})

/** What the contract's status calls for, most of the time. */
function contractOperation(
  projectId: string,
  contract: ContractEntity,
  { dice, tag }: { dice: Dice; tag: string },
): Operation {
  const target = { projectId, contractId: contract.contract_id }
  const respond = (action: string): Operation => ({
    method: 'cacp/contract/respond',
    params: { ...target, action, comment: tag },
    tag,
  })
  const update = updateOf(target, tag)
  const start: Operation = {
    method: 'cacp/implementation/start',
    params: { ...target, plan: tag },
    tag: undefined,
  }
  const complete: Operation = {
    method: 'cacp/implementation/complete',
    params: { ...target, files: ['a.ts'], notes: tag },
    tag: undefined,
  }
  const verify: Operation = {
    method: 'cacp/implementation/verify',
    params: { ...target, result: dice.pick(['success', 'success', 'failure', 'partial']), notes: tag },
    tag,
  }
  const losers = contract.conflicts.map(({ id }) => id)
  if (losers.length > 0 && dice.chance(0.4)) return resolve(target, losers, { dice, tag })
  if (dice.chance(0.1)) return expectSomething(target, dice)
  const { status } = contract
  switch (status) {
    case 'proposed':
    case 'negotiating':
      return dice.pick([
        respond('agree'),
        { ...respond('agree'), params: { ...respond('agree').params, accepts: 'all' } },
        respond('request_change'),
        respond('reject'),
        update,
        update,
      ])
    case 'agreed':
      return dice.pick([start, start, complete, complete, complete, respond('request_change')])
    case 'implemented':
      return dice.pick([verify, verify, start, respond('request_change')])
    case 'verified':
      return dice.pick([respond('request_change'), verify])
    default:
      return status satisfies never
  }
}

/** Nothing of what is proposed here is understood, so that no place of it can be named. */
const expectSomething = (target: object, dice: Dice): Operation => ({
  method: 'cacp/contract/expect',
  params: {
    ...target,
    side: dice.pick(['provider', 'consumer', 'both', null]),
    tolerates: dice.pick([[], ['null'], ['null', 'new_enum_values']]),
  },
  tag: undefined,
})

function resolve(
  target: object,
  losers: readonly string[],
  { dice, tag }: Pick<Circumstances, 'dice' | 'tag'>,
): Operation {
  const choice = dice.pick([
    { keep: 'winner' },
    { keep: 'loser', revision: dice.pick(losers) },
    { keep: 'content', content: { tag } },
  ])
  return {
    method: 'cacp/contract/resolve',
    params: { ...target, ...choice, changeNote: tag },
    // What is kept may be what the same repo settled on before its disk was lost, under another note.
    tag: choice.keep === 'content' ? tag : undefined,
    settles: losers,
  }
}

/** The repos that a project names. */
export const repoNames = (found: ProjectView): string[] =>
  Array.from(found.repos.oldestFirst(), (repo) => repo.name)
