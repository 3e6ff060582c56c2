import type { JsonObject } from '../protocol/json.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type {
  BaseStatus,
  ContextType,
  ContractStatus,
  ContractType,
  ImplementationStatus,
  ResponseAction,
  VerificationResult,
  Visibility,
} from '../protocol/words.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Reach } from './reach.ts'
import type { PeerTrust, PublicKey } from './trust.ts'

/**
 * The shared state as it is stored and merged. Whatever can be derived (status, head, conflicts,
 * updated_at) is not here. Values are never changed in place.
 */

/** A value that the newest write wins. */
export interface Register<T> {
  readonly value: T
  readonly at: Stamp
}

export interface Project {
  readonly project_id: string
  readonly name: Register<string>
  readonly objective: Register<string>
  readonly archived: Register<boolean>
  readonly visibility: Visibility
  readonly created_at: Stamp
  readonly created_by: string
  /** Keys of a peer's object that this version does not know, kept as they came. */
  readonly extra: JsonObject
}

export interface RepoDescription {
  readonly role: string
  readonly language: string
  readonly relevant_paths: readonly string[]
  readonly url: string | null
}

export interface Repo {
  readonly repo_id: string
  readonly name: string
  readonly about: Register<RepoDescription>
  readonly claims: readonly Claim[]
  readonly extra: JsonObject
}

/** One agent's claim of a repo; the earliest one that is not released holds. */
export interface Claim {
  readonly agent_id: string
  readonly claimed_at: Stamp
  readonly released_at: Stamp | null
  readonly endpoint: Register<string | null>
}

export interface Contract {
  readonly contract_id: string
  readonly type: ContractType
  readonly name: string
  readonly created_at: Stamp
  /** The repos that must implement it, fixed when it was proposed. */
  readonly parties: readonly string[]
  /** In order of precedence; the last one is the head. Never empty. */
  readonly revisions: readonly Revision[]
  readonly responses: readonly Response[]
  readonly implementations: readonly Implementation[]
  readonly verifications: readonly Verification[]
  readonly extra: JsonObject
}

export interface Revision {
  /** Hash of version, proposer and canonical content: the same everywhere, never taken from the wire. */
  readonly id: string
  readonly version: number
  readonly content: JsonObject
  /** repo_id */
  readonly proposed_by: string
  readonly parent: string | null
  /** Revisions that this one settles a conflict with. */
  readonly resolves: readonly string[]
  readonly change_notes: string
  readonly timestamp: Stamp
  readonly base: Register<BaseStatus>
}

export interface Response {
  readonly response_id: string
  readonly revision: string
  readonly version: number
  readonly repo_id: string
  readonly agent_id: string
  readonly action: ResponseAction
  readonly comment: string
  readonly suggested_change: JsonObject | string | null
  readonly timestamp: Stamp
}

export interface Implementation {
  readonly repo_id: string
  readonly agent_id: string
  readonly revision: string
  readonly status: ImplementationStatus
  readonly plan: string
  readonly notes: string
  readonly files: readonly string[]
  readonly estimated_files: readonly string[]
  readonly test_endpoint: string | null
  readonly started_at: Stamp | null
  readonly completed_at: Stamp | null
  readonly updated_at: Stamp
}

export interface Verification {
  readonly verification_id: string
  readonly revision: string
  readonly repo_id: string
  readonly agent_id: string
  readonly result: VerificationResult
  readonly notes: string
  readonly failure_details: JsonObject | string | null
  /** Which state of which repo's implementation it looked at. */
  readonly judged: readonly { readonly repo_id: string; readonly updated_at: Stamp }[]
  readonly timestamp: Stamp
}

export interface Packet {
  readonly packet_id: string
  readonly from_repo: string
  readonly from_agent: string
  readonly timestamp: Stamp
  readonly type: ContextType
  readonly content: JsonObject
  readonly related_contracts: readonly string[]
  readonly reply_to: string | null
  /** Set when the content was taken back; wins every merge. */
  readonly redacted: { readonly by: string; readonly at: Stamp; readonly reason: string } | null
  /** Other packets that came under the same id and lost to this one. */
  readonly others: readonly Packet[]
  readonly extra: JsonObject
}

/** What a repo's agent was shown of what others wrote for it. Only the daemon that the repo is at home with writes it. */
export interface Receipt {
  readonly repo_id: string
  /** Each thing once, as it was when it was last shown; oldest first, and only the newest of them. */
  readonly seen: readonly Sighting[]
}

export interface Sighting {
  /** `contract <id>` or `packet <id>` */
  readonly key: string
  /** The newest stamp in what was shown. */
  readonly of: Stamp
  /** How many pieces it had: what is joined to it later may be older than its newest stamp. */
  readonly parts: number
  readonly at: Stamp
}

/** A daemon that registered here. A local matter: never replicated. */
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
  /** SHA-256 in hex of the certificate that its endpoint must show, where no authority vouches for it. */
  readonly certificate?: string
  /** Whose word the endpoint rests on, and so where it may lie; loopback where nothing is said. */
  readonly reach?: Reach
  /** What its card says of its repository. */
  readonly about?: PeerAbout
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

/** How far a peer has what is here. Local, like all below. */
export interface LinkState {
  readonly agent_id: string
  /** Everything up to this change of ours is durable there. */
  readonly acked_seq: number
  /** Entities that it would not take; tried again later, and in nobody's way meanwhile. */
  readonly aside: readonly Aside[]
  /** When it had what; the older, the coarser. */
  readonly checkpoints?: readonly Checkpoint[]
  /** How often it had noted something of ours when all this was so: with less, it is an older copy of itself. */
  readonly noted?: number
  /** The last time that it noted something of which its mark does not tell: with less than that, nobody knows what it has. */
  readonly beside?: number
  /** The repo that it was of when all this was so: as another one it may see other things. */
  readonly repo_name?: string
  /** Where it was told that we are. */
  readonly told_endpoint?: string
  /** The peer knows the document's methods only; what it sends is read against its shadows. */
  readonly plain?: true
}

export interface Aside {
  /** entityKey */
  readonly key: string
  readonly reason: string
  readonly since: Stamp
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
}

/** An entity as far as a plain peer can know it, and short. */
export type Form = ProjectForm | RepoForm | ContractForm | PacketForm

export interface ProjectForm {
  readonly kind: 'project'
  readonly name: string
  readonly objective: string
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

/** A packet that names a file and came from somebody who is not at home here. */
export interface Naming {
  /** The agent from whom it came. */
  readonly from: string
  /** Whether nothing showed that the file was its sender's to hand on; nobody gets the file by it then. */
  readonly is_doubted: boolean
}

/** How far this daemon has what a peer sent of its store. Nobody moves the mark of another. */
export interface Mark {
  readonly agent_id: string
  readonly store_id: string
  readonly seq: number
  /** How often the peer had something noted, whether that moved the mark or not. */
  readonly count: number
}
