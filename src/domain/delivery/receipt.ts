import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Caller } from '../env.ts'
import type { ProjectView, View } from '../view.ts'
import type { ContractEntity, PacketEntity, Sighting } from '../views/entities.ts'

/** What an answer showed of a project, as it was when the answer was made. */
export interface Shown {
  readonly project_id: string
  readonly contracts?: readonly ContractEntity[]
  readonly packets?: readonly PacketEntity[]
}

/** By the state of a project, which is another object after every change. */
const newest = new WeakMap<ProjectView, Shown>()

/** All of a project, as far as it is noted at once that it was shown. */
export function newestOf(found: ProjectView): Shown {
  const known = newest.get(found)
  if (known !== undefined) return known
  const { project, contracts, packets } = found
  const shown = {
    project_id: project.project_id,
    contracts: firstOf(contracts.newestFirst()),
    packets: firstOf(packets.newestFirst()),
  }
  newest.set(found, shown)
  return shown
}

function firstOf<T>(values: Iterable<T>): T[] {
  const first: T[] = []
  for (const value of values) {
    if (first.length === LIMITS.receiptItems) break
    first.push(value)
  }
  return first
}

/** Something that an answer tells of; with `of`, as it was then. */
export interface Named {
  readonly projectId: string
  readonly kind: string
  readonly id: string
  readonly of?: string | undefined
}

/** The things that an answer names. What has changed since it was told of was not shown as it is now. */
export function* shownOf(view: View, named: Iterable<Named>): Iterable<Shown> {
  for (const { projectId: project_id, kind, id, of } of named) {
    const found = view.projects.get(project_id)
    const contract = kind === 'contract' ? found?.contracts.get(id) : undefined
    const packet = kind === 'packet' ? found?.packets.get(id) : undefined
    if (contract !== undefined && (of ?? contract.updated_at) === contract.updated_at)
      yield { project_id, contracts: [contract] }
    if (packet !== undefined && (of ?? packet.updated_at) === packet.updated_at)
      yield { project_id, packets: [packet] }
  }
}

/** A contract or packet in the state in which it was shown. */
export interface Sight {
  readonly id: string
  /** The newest stamp in it. */
  readonly of: Stamp
  /** How many pieces it had: what is joined to it later may be older than its newest stamp. */
  readonly parts: number
}

/** An agent that works with this daemon. What peers and strangers read is no sign that anybody's agent saw it. */
export const isLocalAgent = ({ kind, from = 'loopback' }: Caller): boolean =>
  kind === 'operator' || (kind === 'open' && from === 'loopback')

export const sightOfContract = ({ contract_id, updated_at, parts }: ContractEntity): Sight => ({
  id: contract_id,
  of: updated_at,
  parts,
})

export const sightOfPacket = ({ packet_id, updated_at }: PacketEntity): Sight => ({
  id: packet_id,
  of: updated_at,
  parts: 1,
})

/** Whether a contract is for this repo to look at: its word is needed, and another one moved it last. */
export const isContractFor = (repoId: string, { head, updated_by }: ContractEntity): boolean =>
  (head.repo_id === repoId || head.needed.includes(repoId)) && updated_by !== repoId

export const isPacketFor = (repoId: string, { repo_id }: PacketEntity): boolean => repo_id !== repoId

/** When the agent of a repo was shown it as it is now, or with even more. */
export function seenBy(repoId: string, { id, of, parts }: Sight, found: ProjectView): Sighting | undefined {
  return found.sightingsOf(id).find((seen) => seen.repo_id === repoId && seen.of >= of && seen.parts >= parts)
}
