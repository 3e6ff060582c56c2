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

/** What is known here of a repo's daemon. */
interface Addressee {
  readonly isHere: boolean
  /** The link to it, if the daemon confirms what it has stored. */
  readonly link: LinkState | undefined
  /** Whether its daemon refused a statement about the entity, or may have. */
  refuses(key: string): boolean
}

/** Finds the deliveries of the contracts and packets of one project. */
export class Deliveries {
  readonly #view: View
  readonly #found: ProjectView
  readonly #self: Self
  readonly #addressees = new Map<string, Addressee>()

  constructor(view: View, found: ProjectView, self: Self) {
    this.#view = view
    this.#found = found
    this.#self = self
  }

  /** To the repos whose agreement it needs, except the one that changed it last. */
  ofContract(contract: ContractEntity): Delivery[] {
    const { head, updated_by } = contract
    const sight = readStateOfContract(contract)
    return [...new Set([head.repo_id, ...head.needed])]
      .flatMap((repoId) => (repoId === updated_by ? [] : (this.#found.repos.get(repoId) ?? [])))
      .slice(0, MOST_REPOS)
      .map((repo) => this.#to(repo, 'contract', sight))
  }

  /** By packet_id, the newest packets first, up to the limit. */
  ofPackets(oldestFirst: readonly PacketEntity[]): Record<string, Delivery[]> {
    const byPacket: Record<string, Delivery[]> = {}
    let left = MOST_DELIVERIES
    for (const packet of oldestFirst.toReversed()) {
      const deliveries = this.#ofPacket(packet)
      left -= deliveries.length
      if (left < 0) break
      byPacket[packet.packet_id] = deliveries
    }
    return byPacket
  }

  /** To all repos except its author's. */
  #ofPacket(packet: PacketEntity): Delivery[] {
    const sight = readStateOfPacket(packet)
    const others = filtered(this.#found.repos.oldestFirst(), ({ repo_id }) => repo_id !== packet.repo_id)
    return firstOf(others, MOST_REPOS).map((repo) => this.#to(repo, 'packet', sight))
  }

  #to({ repo_id, name }: RepoEntity, kind: 'contract' | 'packet', sight: ReadState): Delivery {
    const { link, isHere, refuses } = getOrAdd(this.#addressees, repo_id, () => this.#lookUp(repo_id))
    const stored_at = sight.of
    const seq = this.#found.seqOf(kind, sight.id) ?? Number.POSITIVE_INFINITY
    const key = entityKey({ kind, project_id: this.#found.project.project_id, id: sight.id })
    const isThere = isHere || (link !== undefined && this.#hasArrived(link, repo_id, seq) && !refuses(key))
    const replicated_at = isHere ? stored_at : isThere ? reachedAt(link?.checkpoints ?? [], seq) : undefined
    const seen_at = seenBy(repo_id, sight, this.#found)?.at
    return {
      repo_id,
      repo: name,
      state: seen_at !== undefined ? 'seen' : isThere ? 'replicated' : 'stored',
      stored_at,
      ...defined({ replicated_at, seen_at }),
    }
  }

  #hasArrived({ acked_seq }: LinkState, repoId: string, seq: number): boolean {
    // In a project that only members may see, statements from before the repo was named were not sent to it.
    const isLate =
      this.#found.project.visibility === 'members' && (this.#found.seqOf('repo', repoId) ?? 0) > acked_seq
    return seq <= acked_seq && !isLate
  }

  #lookUp(repoId: string): Addressee {
    const holder = this.#found.repos.get(repoId)?.holder
    // An agent that signs nothing itself is not here, although this daemon signs for it.
    const isReached = holder !== undefined && holder.reported_by === undefined
    const isHere = isReached && holder.speaks_by.key === this.#self.signer.keyId
    const link = isReached && !isHere ? this.#linkTo(holder) : undefined
    const aside = asideOf(link?.refused)
    const keys = new Set(aside.map(({ key }) => key))
    const isAllKnown = aside.length === (link?.refused?.count ?? 0)
    return { isHere, link, refuses: (key) => !isAllKnown || keys.has(key) }
  }

  /** Guests of a daemon are reached through it: it signs for them with its own key. */
  #linkTo({ agent_id, speaks_by }: ClaimEntity): LinkState | undefined {
    const { peers, links } = this.#view
    const peer = peers.get(agent_id) ?? this.#peerWith(speaks_by.key)
    if (peer?.trust !== 'approved' || !maySee(this.#found, viewerOf(peer))) return undefined
    const link = links.get(peer.agent_id)
    // A plain peer confirms what it accepted, but not that it stored it.
    return link?.plain ? undefined : link
  }

  #peerWith(key: string): Peer | undefined {
    const peers = this.#view.peers.oldestFirst()
    return findIn(peers, ({ identity }) => identity !== undefined && keyIdOf(identity) === key)
  }
}

/** The state of the delivery that has come least far; undefined where it concerns nobody else. */
export const leastFar = (deliveries: readonly Delivery[]): Delivery['state'] | undefined =>
  Delivery.shape.state.options.find((state) => deliveries.some((one) => one.state === state))
