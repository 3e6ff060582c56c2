import type { JsonObject } from '../protocol/json/json.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type { ContractStatus } from '../protocol/words.ts'
import type { Refused } from './delivery/refused.ts'
import type { Checkpoint } from './feed/checkpoint.ts'
import type { Reach } from './trust/allowed-endpoint.ts'
import type { PeerTrust, PublicKey } from './trust/trust.ts'

/** What a daemon keeps for itself: never replicated. Values are never changed in place. */

/** A daemon that registered here. */
export interface Peer {
  readonly agent_id: string
  readonly endpoint: string
  /** Empty while it has not said, and its card was not read. */
  readonly repo_name: string
  readonly trust: PeerTrust
  readonly registered_at: Stamp
  readonly last_seen: Stamp
  /** Who it is, pinned when the two were paired. One that only registered has shown none. */
  readonly identity?: PublicKey
  /** Ids of the keys that it has replaced since, the last one first. */
  readonly former_keys?: readonly string[]
  /** Repos that it was given here with its invite. */
  readonly invited_to?: readonly Invitation[]
  /** Repos that its invite gives to the agent of this daemon, which has not claimed them yet. */
  readonly promised?: readonly Invitation[]
  /** SHA-256 in hex of the certificate that its endpoint must show, where no authority vouches for it. */
  readonly certificate?: string
  /** Whose word the endpoint rests on, and so where it may lie; loopback where nothing is said. */
  readonly reach?: Reach
  /** The name by which it went last, where that was ever another one than `repo_name`. */
  readonly calls_itself?: string
  /** What its card says of its repository. */
  readonly about?: PeerAbout
}

/** A repo is for whoever was let in with an invite, to be claimed after this time. */
export interface Invitation {
  readonly project_id: string
  readonly repo_name: string
  readonly at: Stamp
}

export interface PeerAbout {
  readonly role: string
  readonly language: string
}

/** A stored answer, so that the same call with the same idempotency key is not done twice. */
export interface Answer {
  readonly key: string
  readonly params_hash: string
  readonly result: JsonObject
  readonly at: Stamp
}

/** What an agent has looked at and does not want to be shown again before it changes. */
export interface Acked {
  readonly agent_id: string
  /** Oldest first. */
  readonly items: readonly { readonly id: string; readonly state: string; readonly at: Stamp }[]
}

/** The project that an agent means where it names none. */
export interface CurrentProject {
  readonly agent_id: string
  readonly project_id: string
  /** As it was called then, for who is told that it is here no more. */
  readonly name: string
}

/** How far a peer has what is here. */
export interface LinkState {
  readonly agent_id: string
  /** The peer's store of which all this is so: another one has nothing of ours. */
  readonly store_id?: string
  /** Everything up to this statement of ours is durable there, or was refused. */
  readonly acked_seq: number
  /** When it had what; the older, the coarser. */
  readonly checkpoints?: readonly Checkpoint[]
  /** What it would not take of that. */
  readonly refused?: Refused
  /** The newest time of what this daemon said itself and the peer took, or may have taken. */
  readonly took_until?: Stamp
  /** Where it was told that we are. */
  readonly told_endpoint?: string
  /** The peer knows the document's methods only; what it sends is read against its shadows. */
  readonly plain?: true
}

/** What a plain peer is known to hold of one entity, without its times: only what differs from it is an edit. */
export interface Shadow {
  readonly agent_id: string
  /** What it showed or acknowledged last; null while nothing is known. */
  readonly shown: Form | null
  /** What is on its way to it: it may have arrived, even where no answer says so. */
  readonly sent: Form | null
  /** The newest stamp of its own that it showed. */
  readonly at: Stamp
  /** By what id it knows a repo that it named itself. */
  readonly id_there?: string
}

/** An entity as far as a plain peer can know it, and short. */
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
  /** By repo, a hash of what its implementation says. */
  readonly work: { readonly [repoId: string]: string }
}

export interface PacketForm {
  readonly kind: 'packet'
  readonly hash: string
}

/** A file that somebody brought here, byte by byte. It may therefore name it, and the bytes count as its own. */
export interface Upload {
  readonly sha256: string
  /** Who: `partyOf` a caller. */
  readonly by: string
  readonly size: number
  readonly at: Stamp
}

/** A packet that names a file which was not shown to be its author's to hand on: nobody gets the file by it. */
export interface Naming {
  readonly is_doubted: true
}
