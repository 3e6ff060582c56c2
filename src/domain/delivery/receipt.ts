import { firstOf } from '../../protocol/collections/iterables.ts'
import { oncePer } from '../../protocol/collections/once-per.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Caller } from '../env.ts'
import type { ProjectView, View } from '../view.ts'
import type { ContractEntity, PacketEntity, Sighting } from '../views/entities.ts'

/** The contracts and packets of a project that an answer contains, as they were then. */
export interface Shown {
  readonly project_id: string
  readonly contracts?: readonly ContractEntity[]
  readonly packets?: readonly PacketEntity[]
}

/** The newest contracts and packets of a project, as many as one answer may record receipts for. */
export const newestOf = oncePer(
  ({ project, contracts, packets }: ProjectView): Shown => ({
    project_id: project.project_id,
    contracts: firstOf(contracts.newestFirst(), LIMITS.receiptItems),
    packets: firstOf(packets.newestFirst(), LIMITS.receiptItems),
  }),
)

/** A contract or packet that an answer refers to; with `of`, in the state of that time. */
export interface Named {
  readonly projectId: string
  readonly kind: string
  readonly id: string
  readonly of?: string | undefined
}

/** The contracts and packets that an answer names, except those that changed since: they were not read so. */
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

/** A contract or packet in the state in which it was read. */
export interface ReadState {
  readonly id: string
  /** The newest time in it. */
  readonly of: Stamp
  /** The number of its parts: a statement that arrives later may be older than the newest time. */
  readonly parts: number
}

/** Somebody who works with this daemon: the agent of its repository, or a person there. */
export const isLocal = ({ kind, from = 'loopback' }: Caller): boolean =>
  kind === 'operator' || (kind === 'open' && from === 'loopback')

/** An agent that works with this daemon. Reads by people, peers and strangers are no receipts. */
export const isLocalAgent = (caller: Caller): boolean => isLocal(caller) && caller.person === undefined

export const readStateOfContract = ({ contract_id, updated_at, parts }: ContractEntity): ReadState => ({
  id: contract_id,
  of: updated_at,
  parts,
})

export const readStateOfPacket = ({ packet_id, updated_at }: PacketEntity): ReadState => ({
  id: packet_id,
  of: updated_at,
  parts: 1,
})

/** Whether a repo has to look at a contract: its agreement is needed, and another repo changed it last. */
export const isContractFor = (repoId: string, { head, updated_by }: ContractEntity): boolean =>
  (head.repo_id === repoId || head.needed.includes(repoId)) && updated_by !== repoId

export const isPacketFor = (repoId: string, { repo_id }: PacketEntity): boolean => repo_id !== repoId

/** The receipt of the repo's agent for this state or a later one. */
export function seenBy(
  repoId: string,
  { id, of, parts }: ReadState,
  found: ProjectView,
): Sighting | undefined {
  return found.sightingsOf(id).find((seen) => seen.repo_id === repoId && seen.of >= of && seen.parts >= parts)
}
