import type { JsonObject } from '../protocol/json/json.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type { ContractStatus } from '../protocol/words.ts'
import type { Refused } from './delivery/refused.ts'
import type { Checkpoint } from './feed/checkpoint.ts'
import type { EndpointScope } from './trust/allowed-endpoint.ts'
import type { PeerTrust, PublicKey } from './trust/trust.ts'

/** Records that stay on this daemon and are never replicated. Values are never changed in place. */

/** A daemon that registered here. */
export interface Peer {
  readonly agent_id: string
  readonly endpoint: string
  /** Empty until the peer names its repository or its agent card is read. */
  readonly repo_name: string
  readonly trust: PeerTrust
  readonly registered_at: Stamp
  readonly last_seen: Stamp
  /** The identity key that was pinned at pairing. A peer that only registered has none. */
  readonly identity?: PublicKey
  /** Ids of the keys that the peer replaced since pairing, the last replaced one first. */
  readonly former_keys?: readonly string[]
  /** Repos that the peer may claim here, because its invite named them. */
  readonly invited_to?: readonly Invitation[]
  /** Repos that the peer's invite lets the agent of this daemon claim, as long as it has not claimed them. */
  readonly promised?: readonly Invitation[]
  /** SHA-256 in hex of the certificate that the endpoint must present, for a certificate that no authority signed. */
  readonly certificate?: string
  /** Who vouched for the endpoint, which limits the addresses that it may have; loopback only when missing. */
  readonly reach?: EndpointScope
  /** The repository name that the peer gave last, if it ever differed from `repo_name`. */
  readonly calls_itself?: string
  /** What the peer's agent card says about its repository. */
  readonly about?: PeerAbout
}

/** A repo that whoever accepts an invite may claim, with a claim later than `at`. */
export interface Invitation {
  readonly project_id: string
  readonly repo_name: string
  readonly at: Stamp
}

export type PeerAbout = Pick<RepoDescription, 'role' | 'language'>

/** A stored answer, so that the same call with the same idempotency key is not done twice. */
export interface Answer {
  readonly key: string
  readonly params_hash: string
  readonly result: JsonObject
  readonly at: Stamp
}

/** Inbox items that an agent acknowledged: they stay hidden until their state changes. */
export interface Acked {
  readonly agent_id: string
  /** Oldest first. */
  readonly items: readonly { readonly id: string; readonly state: string; readonly at: Stamp }[]
}

/** The project that an agent's calls mean when they name none. */
export interface CurrentProject {
  readonly agent_id: string
  readonly project_id: string
  /** The project's name at that time, for the message when the project is no longer here. */
  readonly name: string
}

/** How much of this store a peer has. */
export interface LinkState {
  readonly agent_id: string
  /** The peer's store that these fields describe: when the peer has another store, replication starts anew. */
  readonly store_id?: string
  /** The peer has stored or refused every statement of ours up to this one. */
  readonly acked_seq: number
  /** At which times the peer had how much; the older the entries, the fewer of them are kept. */
  readonly checkpoints?: readonly Checkpoint[]
  /** Which of our statements the peer refused. */
  readonly refused?: Refused
  /** The newest time of what this daemon said itself and the peer took, or may have taken. */
  readonly took_until?: Stamp
  /** The endpoint of this daemon that the peer was informed of last. */
  readonly told_endpoint?: string
  /** The peer knows only the methods of the CACP document; what it sends is compared with its shadows. */
  readonly plain?: true
}

/** What a plain peer is known to hold of one entity, without times: only what differs from it is the peer's edit. */
export interface Shadow {
  readonly agent_id: string
  /** What the peer sent or acknowledged last; null while nothing is known. */
  readonly shown: Form | null
  /** What was sent and not acknowledged: it may have arrived all the same. */
  readonly sent: Form | null
  /** The newest time that the peer itself sent for this entity. */
  readonly at: Stamp
  /** The peer's own id for a repo that the peer named. */
  readonly id_there?: string
}

/** An entity reduced to the fields that a plain peer knows, with hashes for long ones. */
export type Form = ProjectForm | RepoForm | ContractForm | PacketForm

export interface ProjectForm {
  readonly kind: 'project'
  readonly name: string
  readonly objective: string
}

export interface RepoDescription {
  readonly role: string
  readonly language: string
  readonly relevant_paths: readonly string[]
  readonly url: string | null
}

export interface RepoForm {
  readonly kind: 'repo'
  readonly about: RepoDescription
  readonly agent: string | null
  readonly endpoint: string | null
}

export interface ContractForm {
  readonly kind: 'contract'
  /** Revision.id */
  readonly head: string
  readonly status: ContractStatus
  /** Hash of the ids of all earlier revisions. */
  readonly past: string
  /** By repo, a hash of its implementation report. */
  readonly work: { readonly [repoId: string]: string }
}

export interface PacketForm {
  readonly kind: 'packet'
  readonly hash: string
}

/** A file whose bytes somebody uploaded here. That party may refer to the file in packets. */
export interface Upload {
  readonly sha256: string
  /** The uploader, as `partyOf` names a caller. */
  readonly by: string
  readonly size: number
  readonly at: Stamp
}

/** Marks a packet whose author was not shown to have the file that it names: it gives nobody access to the file. */
export interface Naming {
  readonly is_doubted: true
}
