import type { AddressClass } from '../protocol/address-class.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type { Permission } from '../protocol/words.ts'
import type { Invitation } from './model.ts'
import type { PublicKey } from './trust/trust.ts'
import type { StoredFile } from './view.ts'

/** Who this daemon is. */
export interface Self {
  readonly agentId: string
  readonly repo: string
  readonly role: string
  readonly language: string
  /** Where other daemons reach it. */
  readonly endpoint: string
  /** SHA-256 in hex of the certificate shown there, where no authority vouches for it: whoever is invited pins it. */
  readonly certificate?: string
  /** Of the store that holds its state. */
  readonly storeId: string
  /** What its statements are signed with now. */
  readonly signer: Signer
}

/** A key pair, as far as everybody may know it. */
export interface Signer {
  readonly publicKey: PublicKey
  /** Thumbprint of the public key. */
  readonly keyId: string
}

/** The request that a call came in. */
export interface Origin {
  readonly address: string
  readonly requestId: string
}

/** Who is calling, and as which agent. */
export interface Caller {
  readonly kind: CallerKind
  readonly agentId: string
  /**
   * How it calls itself, where it acts as the agent of this daemon because nobody is known by that name. Joined as
   * another repo than the daemon's, it is known by it.
   */
  readonly called?: string
  /** The repository this agent speaks for, where that is known beforehand. */
  readonly repoName: string | null
  /** Of a peer: what was pinned of it when the two were paired. One that only registered has shown nothing. */
  readonly pinned?: Pinned
  /** Of a peer that calls an open daemon without a key: like everybody there it is taken at its word. */
  readonly isTakenAtItsWord?: true
  /** What kind of address it calls from; where nobody said, it is this machine. */
  readonly from?: AddressClass
  /** Of a caller with a project token: all that it may do. */
  readonly grant?: Grant
  /** What it was let in by: the first 8 hex digits of the hash of its key, or the id of its token. No secret. */
  readonly credential?: string
  /** The id of the key that it showed, where it was given one here. */
  readonly keyId?: string
  /** Whether it was let in by a secret of the configuration, for which it need not be a peer. */
  readonly isConfigured?: true
}

export interface Pinned {
  /** Thumbprint of its identity. */
  readonly key: string
  /** Those of the keys that vouched for it: a project may not have heard yet that they were replaced. */
  readonly formerKeys?: readonly string[] | undefined
  readonly invitedTo: readonly Invitation[]
}

/**
 * operator: has the operator key; open: came without a key to an `--open` daemon; peer: an approved daemon,
 * known by its key or, where the daemon is open, by its name; known: only registered with the exchange;
 * token: has a project token; anonymous: nobody knows.
 */
export type CallerKind = 'operator' | 'open' | 'peer' | 'known' | 'token' | 'anonymous'

/** Whether a caller is at home here: everything on this daemon is its to see. */
export const isHomeCaller = ({ kind }: Pick<Caller, 'kind'>): boolean =>
  kind === 'operator' || kind === 'open'

export interface Grant {
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
  /** Of this process: another one after every start. */
  readonly life?: string
  /** The file that came inline with the call, already stored. */
  readonly attachment: StoredFile | null
}
