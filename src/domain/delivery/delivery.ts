import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { filtered, findIn, firstOf } from '../../protocol/collections/iterables.ts'
import { When } from '../../protocol/words.ts'
import { entityKey } from '../entity.ts'
import type { Self } from '../env.ts'
import { reachedAt } from '../feed/checkpoint.ts'
import { maySee, viewerOf } from '../lookup.ts'
import type { LinkState, Peer } from '../model.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity, ContractEntity, PacketEntity, RepoEntity } from '../views/entities.ts'
import { type ReadState, readStateOfContract, readStateOfPacket, seenBy } from './receipt.ts'
import { asideOf } from './refused.ts'

/**
 * How far something has come towards a repository that it concerns. Stored: it is on disk here. Replicated: the
 * daemon of that repo has confirmed that it stored it. Seen: its agent has read it in exactly this state.
 */
export const Delivery = z
  .object({
    repo_id: z.string(),
    repo: z.string().describe('its name'),
    state: z
      .enum(['stored', 'replicated', 'seen'])
      .describe('on disk here; on disk at its daemon, which said so; shown to its agent as it is now'),
    stored_at: When,
    /** The latest possible time. Missing if a third daemon passed it on, which is not reported here. */
    replicated_at: When.optional(),
    seen_at: When.optional(),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.output<typeof Delivery>

/** Most repos per entity, and most deliveries in one answer. */
const MOST_REPOS = 100
const MOST_DELIVERIES = 2000

export type Deliveries = ReturnType<typeof deliveriesIn>

/** Finds the deliveries of the contracts and packets of one project. */
export function deliveriesIn(view: View, found: ProjectView, self: Self) {
  const { project, repos } = found
  const addressees = new Map<string, ReturnType<typeof lookUp>>()

  /** To the repos whose agreement it needs, except the one that changed it last. */
  function ofContract(contract: ContractEntity): Delivery[] {
    const { head, updated_by } = contract
    const sight = readStateOfContract(contract)
    return [...new Set([head.repo_id, ...head.needed])]
      .flatMap((repoId) => (repoId === updated_by ? [] : (repos.get(repoId) ?? [])))
      .slice(0, MOST_REPOS)
      .map((repo) => deliveryTo(repo, 'contract', sight))
  }

  /** By packet_id, the newest packets first, up to the limit. */
  function ofPackets(oldestFirst: readonly PacketEntity[]): Record<string, Delivery[]> {
    const byPacket: Record<string, Delivery[]> = {}
    let left = MOST_DELIVERIES
    for (const packet of oldestFirst.toReversed()) {
      const deliveries = ofPacket(packet)
      left -= deliveries.length
      if (left < 0) break
      byPacket[packet.packet_id] = deliveries
    }
    return byPacket
  }

  /** To all repos except its author's. */
  function ofPacket(packet: PacketEntity): Delivery[] {
    const sight = readStateOfPacket(packet)
    const others = filtered(repos.oldestFirst(), ({ repo_id }) => repo_id !== packet.repo_id)
    return firstOf(others, MOST_REPOS).map((repo) => deliveryTo(repo, 'packet', sight))
  }

  function deliveryTo(
    { repo_id, name }: RepoEntity,
    kind: 'contract' | 'packet',
    sight: ReadState,
  ): Delivery {
    const { id, of: stored_at } = sight
    const { link, isHere, refuses } = getOrAdd(addressees, repo_id, lookUp)
    const seq = found.seqOf(kind, id) ?? Number.POSITIVE_INFINITY
    const key = entityKey({ kind, project_id: project.project_id, id })
    const isThere = isHere || (link !== undefined && hasArrived(link, repo_id, seq) && !refuses(key))
    const replicated_at = isHere ? stored_at : isThere ? reachedAt(link?.checkpoints ?? [], seq) : undefined
    const seen_at = seenBy(repo_id, sight, found)?.at
    return {
      repo_id,
      repo: name,
      state: seen_at !== undefined ? 'seen' : isThere ? 'replicated' : 'stored',
      stored_at,
      ...defined({ replicated_at, seen_at }),
    }
  }

  function hasArrived({ acked_seq }: LinkState, repoId: string, seq: number): boolean {
    // In a project that only members may see, statements from before the repo was named were not sent to it.
    const isLate = project.visibility === 'members' && (found.seqOf('repo', repoId) ?? 0) > acked_seq
    return seq <= acked_seq && !isLate
  }

  /**
   * What is known here of a repo's daemon: the link to it, if it confirms what it has stored, and whether it refused a
   * statement about an entity, or may have.
   */
  function lookUp(repoId: string) {
    const holder = repos.get(repoId)?.holder
    // An agent that signs nothing itself is not here, although this daemon signs for it.
    const isReached = holder !== undefined && holder.reported_by === undefined
    const isHere = isReached && holder.speaks_by.key === self.signer.keyId
    const link = isReached && !isHere ? linkTo(holder) : undefined
    const aside = asideOf(link?.refused)
    const keys = new Set(aside.map(({ key }) => key))
    const isAllKnown = aside.length === (link?.refused?.count ?? 0)
    return { isHere, link, refuses: (key: string) => !isAllKnown || keys.has(key) }
  }

  /** Guests of a daemon are reached through it: it signs for them with its own key. */
  function linkTo({ agent_id, speaks_by }: ClaimEntity): LinkState | undefined {
    const peer = view.peers.get(agent_id) ?? peerWith(speaks_by.key)
    if (peer?.trust !== 'approved' || !maySee(found, viewerOf(peer))) return undefined
    const link = view.links.get(peer.agent_id)
    // A plain peer confirms what it accepted, but not that it stored it.
    return link?.plain ? undefined : link
  }

  const peerWith = (key: string): Peer | undefined =>
    findIn(view.peers.oldestFirst(), ({ identity }) => identity !== undefined && keyIdOf(identity) === key)

  return { ofContract, ofPackets }
}

/** The state of the delivery that has come least far; undefined where it concerns nobody else. */
export const leastFar = (deliveries: readonly Delivery[]): Delivery['state'] | undefined =>
  Delivery.shape.state.options.find((state) => deliveries.some((one) => one.state === state))
