import type { AddressClass } from '../protocol/address-class.ts'
import type { Permission } from '../protocol/permission.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type { Invitation } from './model.ts'
import type { FileLooks } from './proof/own-tree.ts'
import type { PublicKey } from './trust/trust.ts'
import type { StoredFile } from './view.ts'

/** The identity of this daemon. */
export interface Self {
  readonly agentId: string
  readonly repo: string
  readonly role: string
  readonly language: string
  /** The URL by which other daemons reach this one. */
  readonly endpoint: string
  /** SHA-256 in hex of this endpoint's certificate, if no authority signed it: invited daemons pin it. */
  readonly certificate?: string
  /** Id of the store that holds the daemon's state. */
  readonly storeId: string
  /** The key that signs its statements now. */
  readonly signer: Signer
}

/** The public half of a key pair. */
export interface Signer {
  readonly publicKey: PublicKey
  /** Thumbprint of the public key. */
  readonly keyId: string
}

/** The request that carried a call. */
export interface Origin {
  readonly address: string
  readonly requestId: string
}

/** Who is calling, and as which agent. */
export interface Caller {
  readonly kind: CallerKind
  readonly agentId: string
  /**
   * The agent name that the caller gave and that is unknown here; it acts as the agent of this daemon until it joins
   * a project as another repo than the daemon's.
   */
  readonly called?: string
  /** The repository that this agent speaks for, if that is known before a project is looked at. */
  readonly repoName: string | null
  /** For a paired peer: what was pinned at pairing. A peer that only registered has none. */
  readonly pinned?: Pinned
  /** Set for a peer that calls an `--open` daemon without a key: the name that it gives is believed. */
  readonly isNameBelieved?: true
  /** The class of the address that it calls from; this machine when missing. */
  readonly from?: AddressClass
  /** For a caller with a project token: everything that it may do. */
  readonly grant?: Grant
  /** What authenticated it: the first 8 hex digits of its key's hash, or the id of its token or session. No secret. */
  readonly credential?: string
  /** Set for a person at the dashboard, with the id of its session; what it reads no agent has read. */
  readonly person?: { readonly session: string }
  /** The id of the presented API key, if this daemon issued it. */
  readonly keyId?: string
  /** Whether a secret from the configuration authenticated it; such a caller need not be a peer. */
  readonly isConfigured?: true
}

export interface Pinned {
  /** Thumbprint of its identity. */
  readonly key: string
  /** Thumbprints of the keys that it replaced: a project may not have received the rotation yet. */
  readonly formerKeys?: readonly string[] | undefined
  readonly invitedTo: readonly Invitation[]
}

/**
 * operator: has the operator key; open: came without a key to an `--open` daemon; peer: an approved daemon, known by
 * its key or, where the daemon is open, by its name; known: only registered with the exchange; token: has a project
 * token; anonymous: unknown.
 */
export type CallerKind = 'operator' | 'open' | 'peer' | 'known' | 'token' | 'anonymous'

/**
 * By which name a caller's own records are stored, such as what it has hidden: the people at a daemon share theirs and
 * its agent has others. No agent ID contains a tab.
 */
export const ownerOf = ({ agentId, person }: Pick<Caller, 'agentId' | 'person'>): string =>
  person === undefined ? agentId : `people\t${agentId}`

/** Whether the caller may see everything on this daemon, as the operator may. */
export const seesEverything = ({ kind }: Pick<Caller, 'kind'>): boolean =>
  kind === 'operator' || kind === 'open'

interface Grant {
  readonly projectId: string
  readonly permissions: ReadonlySet<Permission>
}

/** Everything a decision gets besides state and params, so that it needs no clock and no randomness. */
export interface Env {
  readonly caller: Caller
  readonly self: Self
  readonly now: Stamp
  newId(): string
  /** 16 random bytes in base64url: for ids that nobody else can have, and for salts that nobody can guess. */
  newNonce(): string
  /** The boot id of this process: a new one at every start. */
  readonly bootId?: string
  /** The file that the call contained inline, already stored. */
  readonly attachment: StoredFile | null
  /** What the files are like that the call declares; left out unless they are those of this daemon's repository. */
  readonly looks?: FileLooks | undefined
}
