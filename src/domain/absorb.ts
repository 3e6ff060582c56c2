import { Fault } from '../protocol/fault.ts'
import { isJsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { admitContract, admitPacket, admitProject, admitRepo } from './admit.ts'
import { type Change, contractChange, packetChange, projectChange, repoChange } from './change.ts'
import { isEqual } from './join.ts'
import { type Merged, mergeContract, mergePacket, mergeProject, mergeRepo } from './merge.ts'
import type { Contract, Packet, Project, Repo } from './model.ts'
import type { ProjectView, View } from './view.ts'

/** What came of one object that a peer sent. `changes` is empty when it held nothing new. */
export interface Absorbed {
  readonly id: string
  readonly status: 'created' | 'updated' | 'skipped'
  readonly changes: readonly Change[]
  /** The sender has just this: nothing that was here before is in it. */
  readonly isAsSent: boolean
}

/** A part of a project's object that could not be taken; the other parts are. */
export interface Refusal {
  readonly kind: string
  readonly id: string | null
  readonly reason: string
}

export function absorbRepo(found: ProjectView, wire: unknown, now: Stamp): Absorbed & { value: Repo } {
  const local = found.repos.get(idIn(wire, 'repo_id'))
  const incoming = admitRepo(wire, { now, local })
  if (local === undefined && found.repos.size >= LIMITS.mergedRepos)
    throw new Fault('too_large', `The project already has ${LIMITS.mergedRepos} repos, which is the limit`)
  return absorbed({
    id: incoming.repo_id,
    local,
    incoming,
    merge: mergeRepo,
    change: (value) => repoChange(found.project.project_id, value),
  })
}

export function absorbContract(
  found: ProjectView,
  wire: unknown,
  now: Stamp,
): Absorbed & { value: Contract } {
  // Only those of a contract whose sender names none are asked for.
  const repoIds = isNaming(wire) ? [] : Array.from(found.repos.oldestFirst(), (repo) => repo.repo_id)
  return absorbContractAmong({ projectId: found.project.project_id, repoIds, now }, found, wire)
}

const isNaming = (wire: unknown): boolean => isJsonObject(wire) && wire['parties'] !== undefined

export function absorbPacket(found: ProjectView, wire: unknown, now: Stamp): Absorbed & { value: Packet } {
  const incoming = admitPacket(wire, now)
  return absorbed({
    id: incoming.packet_id,
    local: found.packets.get(incoming.packet_id),
    incoming,
    merge: mergePacket,
    change: (value) => packetChange(found.project.project_id, value),
  })
}

/** A whole project: its registers, then every part on its own, so that one bad part costs nothing else. */
export function absorbProject(
  view: View,
  wire: { readonly [key: string]: unknown },
  now: Stamp,
): Absorbed & { refused: Refusal[] } {
  const incoming = admitProject(wire, now)
  const found = view.projects.get(incoming.project_id)
  const head = absorbed<Project>({
    id: incoming.project_id,
    local: found?.project,
    incoming,
    merge: mergeProject,
    change: projectChange,
  })
  const refused: Refusal[] = []
  const take = (kind: string, idKey: string, part: unknown, absorb: () => Absorbed): readonly Change[] => {
    try {
      return absorb().changes
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      refused.push({ kind, id: idIn(part, idKey) || null, reason: error.message })
      return []
    }
  }
  const room = found ?? emptyRoom(head.value)
  // Kept among its members, it comes with all of them or not at all: whoever is missing is not listened to later.
  const isArrivingAmongMembers = found === undefined && incoming.visibility === 'members'
  const repos = partsOf(wire['repos']).flatMap((part) =>
    isArrivingAmongMembers
      ? absorbRepo(room, part, now).changes
      : take('repo', 'repo_id', part, () => absorbRepo(room, part, now)),
  )
  const repoIds = [
    ...Array.from(room.repos.oldestFirst(), (repo) => repo.repo_id),
    ...repos.map((change) => change.id),
  ]
  const setting = { projectId: incoming.project_id, repoIds, now }
  const contracts = partsOf(wire['contracts']).flatMap((part) =>
    take('contract', 'contract_id', part, () => absorbContractAmong(setting, room, part)),
  )
  const packets = partsOf(wire['context_history']).flatMap((part) =>
    take('packet', 'packet_id', part, () => absorbPacket(room, part, now)),
  )
  const changes = [...head.changes, ...onePerEntity([...repos, ...contracts, ...packets])]
  const status = found === undefined ? 'created' : changes.length > 0 ? 'updated' : 'skipped'
  return { id: incoming.project_id, status, changes, isAsSent: false, refused }
}

/** A sender may name the same part twice; each was merged with what is here, so both are merged with each other. */
function onePerEntity(changes: readonly Change[]): Change[] {
  const byEntity = new Map<string, Change>()
  for (const change of changes) {
    const key = `${change.kind} ${change.id}`
    const present = byEntity.get(key)
    byEntity.set(key, present === undefined ? change : joinChanges(present, change))
  }
  return [...byEntity.values()]
}

function joinChanges(a: Change, b: Change): Change {
  if (a.kind === 'repo' && b.kind === 'repo') return { ...a, value: mergeRepo(a.value, b.value).value }
  if (a.kind === 'contract' && b.kind === 'contract')
    return { ...a, value: mergeContract(a.value, b.value).value }
  if (a.kind === 'packet' && b.kind === 'packet') return { ...a, value: mergePacket(a.value, b.value).value }
  throw new TypeError(`${a.kind} and ${b.kind} are not changes of one entity`)
}

interface Setting {
  projectId: string
  repoIds: readonly string[]
  now: Stamp
}

function absorbContractAmong(
  setting: Setting,
  { contracts }: ProjectView,
  wire: unknown,
): Absorbed & { value: Contract } {
  const local = contracts.get(idIn(wire, 'contract_id'))
  // Parties are fixed when a contract is proposed: a sender that knows none cannot add the repos of today.
  const incoming = admitContract(wire, { ...setting, repoIds: local?.parties ?? setting.repoIds })
  return absorbed({
    id: incoming.contract_id,
    local,
    incoming,
    merge: mergeContract,
    change: (value) => contractChange(setting.projectId, value),
  })
}

function absorbed<T>(given: {
  id: string
  local: T | undefined
  incoming: T
  merge: (local: T, incoming: T) => Merged<T>
  change: (value: T) => Change
}): Absorbed & { value: T } {
  const { id, local, incoming, merge, change } = given
  if (local === undefined)
    return { id, status: 'created', changes: [change(incoming)], isAsSent: true, value: incoming }
  const { value, changed } = merge(local, incoming)
  if (changed && JSON.stringify(value).length > LIMITS.mergedEntityBytes)
    throw new Fault(
      'too_large',
      `${id} would have more than ${LIMITS.mergedEntityBytes} characters with both histories`,
    )
  return changed
    ? { id, status: 'updated', changes: [change(value)], isAsSent: isEqual(value, incoming), value }
    : { id, status: 'skipped', changes: [], isAsSent: false, value }
}

const partsOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])

function idIn(wire: unknown, key: string): string {
  const id = typeof wire === 'object' && wire !== null ? (wire as Record<string, unknown>)[key] : undefined
  return typeof id === 'string' ? id.slice(0, 128) : ''
}

/** A project that is just arriving has no parts here yet. */
export function emptyRoom(project: Project): ProjectView {
  const empty = { size: 0, get: () => undefined, oldestFirst: () => [], newestFirst: () => [] }
  return { project, repos: empty, contracts: empty, packets: empty, repliesTo: () => [] }
}
