import type { Stamp } from '../protocol/stamp.ts'
import { reachedAt } from './checkpoint.ts'
import type { Self } from './env.ts'
import { isOfHome } from './home.ts'
import { lastChangeOf } from './last-change.ts'
import { maySee } from './lookup.ts'
import type { Claim, Contract, LinkState, Packet, Peer, Repo, Sighting } from './model.ts'
import { covers, type Sight, seenIn, sightOfContract, sightOfPacket } from './receipt.ts'
import { activeClaim } from './repo.ts'
import type { ProjectView, View } from './view.ts'

/**
 * How far something has come to those whom it concerns. Stored: it is on disk here. Replicated: the daemon of that
 * repo said, after its own sync, that it has it. Seen: its agent was shown it in just this state.
 */
export interface Delivery {
  readonly repo_id: string
  readonly repo: string
  readonly state: 'stored' | 'replicated' | 'seen'
  readonly stored_at: Stamp
  /** Or a little earlier. Missing where a third daemon carried it, which nobody reports here. */
  readonly replicated_at?: Stamp
  readonly seen_at?: Stamp
}

/** The most repos that are told of, and the most that is told in one answer. */
const MOST = 100
const ROOM = 2000

/** What is known here of a repo, and of the daemon that it is at home with. */
interface Addressee {
  readonly isHere: boolean
  /** With a daemon that says what it has on disk. */
  readonly link: LinkState | undefined
  readonly seen: ReadonlyMap<string, Sighting>
}

interface Item {
  readonly kind: 'contract' | 'packet'
  readonly id: string
  readonly sight: Sight
}

/** Tells of the things of one project, one after the other. */
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

  /** To the parties, but whoever moved it last. */
  ofContract(contract: Contract): Delivery[] {
    const { contract_id: id, parties } = contract
    const { by } = lastChangeOf(contract)
    const item: Item = { kind: 'contract', id, sight: sightOfContract(contract) }
    const told: Delivery[] = []
    for (const party of parties) {
      const repo = party === by || told.length === MOST ? undefined : this.#found.repos.get(party)
      if (repo !== undefined) told.push(this.#to(repo, item))
    }
    return told
  }

  /** By packet_id; the newest, as far as there is room. */
  ofPackets(oldestFirst: readonly Packet[]): Record<string, Delivery[]> {
    const told: Record<string, Delivery[]> = {}
    let room = ROOM
    for (const packet of oldestFirst.toReversed()) {
      const deliveries = this.#ofPacket(packet)
      room -= deliveries.length
      if (room < 0) break
      told[packet.packet_id] = deliveries
    }
    return told
  }

  /** To all repos but its author's. */
  #ofPacket(packet: Packet): Delivery[] {
    const item: Item = { kind: 'packet', id: packet.packet_id, sight: sightOfPacket(packet) }
    const told: Delivery[] = []
    for (const repo of this.#found.repos.oldestFirst()) {
      if (told.length === MOST) break
      if (repo.repo_id !== packet.from_repo) told.push(this.#to(repo, item))
    }
    return told
  }

  #to({ repo_id, name }: Repo, { kind, id, sight }: Item): Delivery {
    const { link, isHere, seen } = this.#addressee(repo_id)
    const stored_at = sight.of
    const seq = this.#found.seqOf(kind, id) ?? Number.POSITIVE_INFINITY
    const isThere = isHere || (link !== undefined && this.#hasArrived(link, { repo_id, kind, id, seq }))
    const replicated_at = isHere ? stored_at : isThere ? reachedAt(link?.checkpoints ?? [], seq) : undefined
    const sighting = seen.get(sight.key)
    const seen_at = covers(sighting, sight) ? sighting.at : undefined
    return {
      repo_id,
      repo: name,
      state: seen_at !== undefined ? 'seen' : isThere ? 'replicated' : 'stored',
      stored_at,
      ...(replicated_at === undefined ? {} : { replicated_at }),
      ...(seen_at === undefined ? {} : { seen_at }),
    }
  }

  #hasArrived(
    { acked_seq, aside }: LinkState,
    { repo_id, kind, id, seq }: { repo_id: string; kind: Item['kind']; id: string; seq: number },
  ): boolean {
    const { project } = this.#found
    if (seq > acked_seq) return false
    // What went before it was named in a project that is kept among its members, it was not sent.
    if (project.visibility === 'members' && (this.#found.seqOf('repo', repo_id) ?? 0) > acked_seq)
      return false
    const key = `${kind} ${project.project_id} ${id}`
    return !aside.some((one) => one.key === key)
  }

  #addressee(repoId: string): Addressee {
    const known = this.#addressees.get(repoId)
    if (known !== undefined) return known
    const addressee = this.#lookUp(repoId)
    this.#addressees.set(repoId, addressee)
    return addressee
  }

  #lookUp(repoId: string): Addressee {
    const { project, repos, receipts } = this.#found
    const repo = repos.get(repoId)
    const claim = repo && activeClaim(repo, project)
    const isHere = claim !== undefined && isOfHome(this.#view, claim, this.#self)
    return {
      isHere,
      link: claim === undefined || isHere ? undefined : this.#linkTo(claim),
      seen: seenIn(receipts.get(repoId)),
    }
  }

  /** Guests of a daemon are reached through it. */
  #linkTo({ agent_id, endpoint }: Claim): LinkState | undefined {
    const { peers, links } = this.#view
    const peer = peers.get(agent_id) ?? this.#peerAt(endpoint.value)
    if (peer?.trust !== 'approved' || !maySee(this.#found, { kind: 'peer', repoName: peer.repo_name }))
      return undefined
    const link = links.get(peer.agent_id)
    // A plain peer says what it took, but not that it is on disk.
    return link?.plain ? undefined : link
  }

  #peerAt(endpoint: string | null): Peer | undefined {
    if (endpoint === null) return undefined
    for (const peer of this.#view.peers.oldestFirst()) if (peer.endpoint === endpoint) return peer
    return undefined
  }
}
