import type * as z from 'zod'
import type { Permission } from '../../protocol/permission.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { PublicKeyShape } from '../statements/shared-fields.ts'

/** Who has access, and by what: local to a daemon, like its peers. Where hashes are enough, no secrets are stored. */

/** Type of the short-lived token by which an agent proves that it is registered with the exchange. */
export const KNOWN_TYP = 'cacpd-known+jwt'

/** pending: to be approved by the operator; revoked: was approved once, and is refused now. */
export type PeerTrust = 'approved' | 'pending' | 'revoked'

/** An Ed25519 key as a JWK. */
export type PublicKey = Readonly<z.output<typeof PublicKeyShape>>

/** A key with which a peer calls here. The key itself is handed out once and not stored. */
export interface ApiKey {
  /** SHA-256 of the key in hex; also its id. */
  readonly hash: string
  readonly agent_id: string
  readonly created_at: Stamp
  /** When it stops working, because a newer key replaced it. */
  readonly retires_at: Stamp | null
}

/** The API key with which this daemon calls a peer. */
export interface Credential {
  readonly agent_id: string
  readonly key: string
}

/** Lets one other daemon in. Its secret is in the printed URL and not stored. */
export interface Invite {
  readonly invite_id: string
  /** SHA-256 of the secret in hex. */
  readonly secret_hash: string
  readonly created_at: Stamp
  readonly expires_at: Stamp
  /** The repo and project that the newcomer may claim. */
  readonly project_id: string | null
  readonly repo_name: string | null
  /** The agent that the newcomer replaces. */
  readonly replaces: string | null
  /** The key that used it: the same daemon may come again, if it did not receive the answer. */
  readonly used_by: PublicKey | null
}

/** An agent of another folder that works with this daemon. */
export interface Guest {
  readonly agent_id: string
  readonly since: Stamp
}

/** A person's browser that was let in. The two halves of the session are not stored. */
export interface UiSession {
  /** The beginning of the hash. */
  readonly session_id: string
  /** SHA-256 of both halves, in hex. */
  readonly hash: string
  readonly created_at: Stamp
  /** When it was used, as far as that was noted: not more often than every few minutes. */
  readonly used_at: Stamp
  /** What the browser calls itself. */
  readonly user_agent: string
  /** SHA-256 of the operator key under which it began: another key ends it. */
  readonly key_hash: string
}

/** A project token that was handed out; the signed token itself is not stored. */
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
