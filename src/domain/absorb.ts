import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { admitContract, admitPacket, admitProject, admitReceipt, admitRepo } from './admit.ts'
import {
  type Change,
  contractChange,
  packetChange,
  projectChange,
  receiptChange,
  repoChange,
} from './change.ts'
import { emptyRoom } from './empty-room.ts'
import type { Caller } from './env.ts'
import { isEqual } from './join.ts'
import { type Merged, mergeContract, mergePacket, mergeProject, mergeReceipt, mergeRepo } from './merge.ts'
import type { Contract, Packet, Project, Receipt, Repo } from './model.ts'
import { onePerEntity } from './one-per-entity.ts'
import {
  type Contained,
  containContract,
  containPacket,
  containProject,
  containReceipt,
  containRepo,
  notYours,
  type OwnPart,
  ownPartOf,
} from './own-part.ts'
import type { ProjectView, View } from './view.ts'

/** What came of one object that a peer sent. `changes` is empty when it held nothing new. */
export interface Absorbed {
  readonly id: string
  readonly status: 'created' | 'updated' | 'skipped'
  readonly changes: readonly Change[]
  /** Why some of it was left out: it was not its sender's to say. What was, is taken. */
  readonly refusal?: Fault | undefined
  /** The sender has just this: nothing that was here before is in it. */
  readonly isAsSent: boolean
}

/** When something comes, and from whom, if its sender speaks for its own repo only. */
export interface Arrival {
  readonly now: Stamp
  readonly only?: Pick<Caller, 'agentId' | 'repoName'> | undefined
}

/** A part of a project's object that could not be taken; the other parts are. */
export interface Refusal {
  readonly kind: string
  readonly id: string | null
  readonly reason: string
}

export function absorbRepo(
  found: ProjectView,
  wire: unknown,
  { now, only }: Arrival,
): Absorbed & { value: Repo } {
  const { project } = found
  const local = found.repos.get(idIn(wire, 'repo_id'))
  const admitted = admitRepo(wire, { now, local })
  const { value: incoming, foreign } =
    only === undefined
      ? whole(admitted)
      : containRepo(admitted, local, { project, own: ownPartOf(project, found.repos.oldestFirst(), only) })
  if (local === undefined && found.repos.size >= LIMITS.mergedRepos)
    throw new Fault('too_large', `The project already has ${LIMITS.mergedRepos} repos, which is the limit`)
  return absorbed({
    id: incoming.repo_id,
    local,
    incoming,
    merge: mergeRepo,
    change: (value) => repoChange(project.project_id, value),
    foreign,
  })
}

const whole = <T>(value: T): Contained<T> => ({ value, foreign: [] })

export function absorbContract(
  found: ProjectView,
  wire: unknown,
  arrival: Arrival,
): Absorbed & { value: Contract } {
  return absorbContractIn(settingOf(found, [...found.repos.oldestFirst()], arrival), wire)
}

export function absorbPacket(
  found: ProjectView,
  wire: unknown,
  arrival: Arrival,
): Absorbed & { value: Packet } {
  return absorbPacketIn(settingOf(found, [...found.repos.oldestFirst()], arrival), wire)
}

function absorbPacketIn({ found, now, own }: Setting, wire: unknown): Absorbed & { value: Packet } {
  const admitted = admitPacket(wire, now)
  const local = found.packets.get(admitted.packet_id)
  return absorbed({
    id: admitted.packet_id,
    local,
    incoming: own === undefined ? admitted : containPacket(admitted, local, own),
    merge: mergePacket,
    change: (value) => packetChange(found.project.project_id, value),
  })
}

/** Of a repo that is known here: what nobody named, nobody was shown anything as. */
export function absorbReceipt(
  found: ProjectView,
  wire: unknown,
  { now, only }: Arrival,
): Absorbed & { value: Receipt } {
  const { project, repos, receipts } = found
  const incoming = admitReceipt(wire, now)
  const { repo_id: id } = incoming
  if (repos.get(id) === undefined)
    throw new Fault('not_found', `receipt.repo_id: project ${project.project_id} has no repo ${id}`, {
      next: 'Send the repo with cacp/repo/sync first',
    })
  const local = receipts.get(id)
  return absorbed({
    id,
    local,
    incoming:
      only === undefined ? incoming : containReceipt(incoming, ownPartOf(project, repos.oldestFirst(), only)),
    merge: mergeReceipt,
    change: (value) => receiptChange(project.project_id, value),
  })
}

/** A whole project: its registers, then every part on its own, so that one bad part costs nothing else. */
export function absorbProject(
  view: View,
  wire: { readonly [key: string]: unknown },
  arrival: Arrival,
): Absorbed & { refused: Refusal[] } {
  const known = view.projects.get(idIn(wire, 'project_id'))?.project
  const head = absorbHead(view, admitProject(wire, arrival.now, known), arrival)
  const incoming = head.value
  const found = view.projects.get(incoming.project_id)
  const refused: Refusal[] = []
  const refuse = (kind: string, id: string, { message }: Fault) =>
    refused.push({ kind, id: id || null, reason: message })
  if (head.refusal !== undefined) refuse('project', head.id, head.refusal)
  const take = (kind: string, idKey: string, part: unknown, absorb: () => Absorbed): readonly Change[] => {
    try {
      const { changes, refusal } = absorb()
      if (refusal !== undefined) refuse(kind, idIn(part, idKey), refusal)
      return changes
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      refuse(kind, idIn(part, idKey), error)
      return []
    }
  }
  const room = found ?? emptyRoom(head.value)
  // Kept among its members, it comes with all of them or not at all: whoever is missing is not listened to later.
  const isArrivingAmongMembers = found === undefined && incoming.visibility === 'members'
  const repos = partsOf(wire['repos']).flatMap((part) =>
    isArrivingAmongMembers
      ? absorbRepo(room, part, arrival).changes
      : take('repo', 'repo_id', part, () => absorbRepo(room, part, arrival)),
  )
  const arrived = new Map(
    repos.flatMap((change) => (change.kind === 'repo' ? [[change.id, change.value]] : [])),
  )
  const present = Array.from(room.repos.oldestFirst()).filter(({ repo_id }) => !arrived.has(repo_id))
  const setting = settingOf(room, [...present, ...arrived.values()], arrival)
  const contracts = partsOf(wire['contracts']).flatMap((part) =>
    take('contract', 'contract_id', part, () => absorbContractIn(setting, part)),
  )
  const packets = partsOf(wire['context_history']).flatMap((part) =>
    take('packet', 'packet_id', part, () => absorbPacketIn(setting, part)),
  )
  const changes = [...head.changes, ...onePerEntity([...repos, ...contracts, ...packets])]
  const status = found === undefined ? 'created' : changes.length > 0 ? 'updated' : 'skipped'
  return { id: incoming.project_id, status, changes, isAsSent: false, refused }
}

/** Where a part arrives, with the repos that came along. */
interface Setting {
  readonly found: ProjectView
  readonly repoIds: readonly string[]
  readonly now: Stamp
  readonly own: OwnPart | undefined
}

function settingOf(found: ProjectView, repos: readonly Repo[], { now, only }: Arrival): Setting {
  return {
    found,
    repoIds: repos.map(({ repo_id }) => repo_id),
    now,
    own: only && ownPartOf(found.project, repos, only),
  }
}

function absorbHead(view: View, admitted: Project, { only }: Arrival): Absorbed & { value: Project } {
  const found = view.projects.get(admitted.project_id)
  const own = found && only && ownPartOf(found.project, found.repos.oldestFirst(), only)
  return absorbed<Project>({
    id: admitted.project_id,
    local: found?.project,
    merge: mergeProject,
    change: projectChange,
    ...naming(own === undefined ? whole(admitted) : containProject(admitted, found?.project, own)),
  })
}

const naming = <T>({ value: incoming, foreign }: Contained<T>) => ({ incoming, foreign })

function absorbContractIn(
  { found, repoIds, now, own }: Setting,
  wire: unknown,
): Absorbed & { value: Contract } {
  const local = found.contracts.get(idIn(wire, 'contract_id'))
  // Parties are fixed when a contract is proposed: a sender that knows none cannot add the repos of today.
  const admitted = admitContract(wire, { now, repoIds: local?.parties ?? repoIds, local })
  return absorbed({
    id: admitted.contract_id,
    local,
    merge: mergeContract,
    change: (value) => contractChange(found.project.project_id, value),
    ...naming(own === undefined ? whole(admitted) : containContract(admitted, local, own)),
  })
}

function absorbed<T>(given: {
  id: string
  local: T | undefined
  incoming: T
  merge: (local: T, incoming: T) => Merged<T>
  change: (value: T) => Change
  foreign?: readonly string[]
}): Absorbed & { value: T } {
  const { id, local, incoming, merge, change, foreign = [] } = given
  const refusal = foreign.length === 0 ? undefined : notYours(id, foreign)
  if (local === undefined)
    return {
      id,
      status: 'created',
      changes: [change(incoming)],
      isAsSent: refusal === undefined,
      value: incoming,
      refusal,
    }
  const { value, changed } = merge(local, incoming)
  if (changed && JSON.stringify(value).length > LIMITS.mergedEntityBytes)
    throw new Fault(
      'too_large',
      `${id} would have more than ${LIMITS.mergedEntityBytes} characters with both histories`,
    )
  return changed
    ? {
        id,
        status: 'updated',
        changes: [change(value)],
        isAsSent: refusal === undefined && isEqual(value, incoming),
        value,
        refusal,
      }
    : { id, status: 'skipped', changes: [], isAsSent: false, value, refusal }
}

const partsOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])

function idIn(wire: unknown, key: string): string {
  const id = typeof wire === 'object' && wire !== null ? (wire as Record<string, unknown>)[key] : undefined
  return typeof id === 'string' ? id.slice(0, 128) : ''
}
