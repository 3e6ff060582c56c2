import type { Stamp } from '../../protocol/stamp.ts'
import type { Permission } from '../../protocol/words.ts'

/** Who is let in, and by what: local to a daemon, like its peers. No secret is kept where its hash will do. */

/** Of the short-lived token by which an agent proves that it is registered with the exchange. */
export const KNOWN_TYP = 'cacpd-known+jwt'

/** pending: noted, for the operator to look at; revoked: was let in once, and nothing of it is accepted any more. */
export type PeerTrust = 'approved' | 'pending' | 'revoked'

/** An Ed25519 key as a JWK. */
export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

/** A key with which a peer calls here. The key itself is told once and not kept. */
export interface ApiKey {
  /** SHA-256 of the key in hex; also its id. */
  readonly hash: string
  readonly agent_id: string
  readonly created_at: Stamp
  /** From then on it does not work any more: a newer one has taken its place. */
  readonly retires_at: Stamp | null
}

/** The key that a peer gave us to call it with. */
export interface Credential {
  readonly agent_id: string
  readonly key: string
}

/** Lets one other daemon in. Its secret is in the URL that was printed, and not kept. */
export interface Invite {
  readonly invite_id: string
  /** SHA-256 of the secret in hex. */
  readonly secret_hash: string
  readonly created_at: Stamp
  readonly expires_at: Stamp
  /** Whoever comes with it gets this repo of this project at once. */
  readonly project_id: string | null
  readonly repo_name: string | null
  /** The agent whose place it takes. */
  readonly replaces: string | null
  /** Who used it: the same one may come again, if it did not hear the answer. */
  readonly used_by: PublicKey | null
}

/** An agent of another folder that works with this daemon. */
export interface Guest {
  readonly agent_id: string
  readonly since: Stamp
}

/** A project token that was handed out; the token itself is signed and not kept. */
export interface IssuedToken {
  readonly token_id: string
  readonly project_id: string
  /** The agent that may use it. */
  readonly subject: string
  readonly permissions: readonly Permission[]
  readonly issued_at: Stamp
  readonly expires_at: Stamp
  readonly revoked_at: Stamp | null
}
