import type { Change, Decision, LocalChange } from '../../domain/change.ts'
import type { Signer } from '../../domain/env.ts'
import type { FileLook } from '../../domain/proof/ignored-file.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import type { AuditLine, AuditQuery } from '../../domain/trust/audit.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { StoredFile, View } from '../../domain/view.ts'
import type { ReadManifest, Search } from '../../protocol/agent/adp.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** What the engine needs from outside. Each port is implemented once in io/ and replaced in simulations. */

export interface Clock {
  now(): Stamp
  newId(): string
  /** 16 random bytes in base64url. */
  newNonce(): string
}

export interface Timers {
  /** Runs the task later, unless the returned function is called before that. */
  after(millis: number, task: () => void): () => void
  /** Monotonic milliseconds, which changes of the clock do not affect. */
  millis(): number
}

/** A number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

/**
 * HTTP to the daemons of other repositories. Both return the body, or throw a Fault. `get` is for public documents
 * and sends no key. Without `to` the URL is one that the operator named. Aborting the signal aborts the request.
 */
export interface PeerClient {
  get(url: string, timeoutMillis: number, to?: Addressee, signal?: AbortSignal): Promise<string>
  post(
    url: string,
    body: string,
    timeoutMillis: number,
    to?: Addressee,
    signal?: AbortSignal,
  ): Promise<string>
}

/**
 * The agent that a URL belongs to: it gets the key that it gave us, must present the certificate that we know, and is
 * only called at addresses where it may be. Or an agent not known yet, at a URL and with a certificate that the
 * operator named.
 */
export type Addressee = string | { readonly certificate: string | null; readonly holder?: KeyHolder }

/** Who has to prove, on an unencrypted connection, that it has this key. */
export interface KeyHolder {
  readonly agentId: string
  readonly endpoint: string
  readonly key: PublicKey
}

/** The key pair by which this daemon proves its identity. The private key never leaves io/. */
export interface Identity extends Signer {
  /** A compact JWS of the claims, with this `typ` in its header. */
  sign(claims: JsonObject, typ: string): Promise<string>
  /** A bare Ed25519 signature in base64, for formats other than JWS. */
  signBytes(bytes: Uint8Array): Promise<string>
  /** The signature of a statement id, in base64url, by this key of ours: the current one, or one just replaced. */
  signStatement(id: string, keyId: string): Promise<string>
  /** The claims of a JWS that this daemon itself signed with its current key or one replaced only recently. */
  verifyOwn(jws: string, typ: string): Promise<JsonObject | undefined>
}

/**
 * An identity whose key can be replaced. The old key signs the new one, so that peers can follow. The new key is on
 * disk before any statement names it; the old one stays until all statements about the change are written.
 */
export interface RotatingIdentity extends Identity {
  /** The next key; undefined unless one was made that has not replaced the current one yet. */
  readonly next: Signer | undefined
  /** Makes the next key unless there is one; durable when it returns. */
  makeNext(): Promise<Signer>
  /** Deletes the next key, before any statement names it. Durable when it returns. */
  forgetNext(): Promise<void>
  /** Signs with the next key from now on. Returns a function that undoes that. */
  takeNext(): () => void
  /** A signature of this text in base64url, by the current key or the next one. */
  signText(text: string, keyId: string): Promise<string>
  /** The current key, then those that were replaced only recently. */
  publicKeys(): readonly PublicKey[]
  /** The signed statements by which each key named its successor, oldest first. */
  readonly rotations: readonly string[]
  /** Replaces the current key by the next one for good. Durable when it returns. */
  rotate(agentId: string): Promise<void>
}

/**
 * The claims of a JWS of this `typ` if this very key signed it, else undefined. Key hints in its headers are ignored.
 * The caller has to check the claims (exp, aud and so on).
 */
export type VerifySignature = (jws: string, key: PublicKey, typ: string) => Promise<JsonObject | undefined>

/** Whether this key made this bare signature (in base64url) of this text. Runs on another thread. */
export type VerifyText = (text: string, key: PublicKey, signature: string) => Promise<boolean>

/** Whether this key made this bare signature (in base64) of these bytes. */
export type VerifyBytes = (bytes: Uint8Array, key: PublicKey, signature: string) => boolean

/** The configured ADP exchange. Its answers are not trusted; a request without an answer throws a Fault. */
export interface AdpExchange {
  /** `manifest` is JSON text. */
  register(manifest: string): Promise<void>
  search(search: Search): Promise<AdpPage>
  /** Undefined when no agent has this name there. */
  get(aid: string): Promise<ListedAgent | undefined>
}

export interface AdpPage {
  /** Agents with a readable manifest. */
  readonly agents: readonly ListedAgent[]
  readonly total: number
}

export interface ListedAgent extends ReadManifest {
  /** What the exchange says. The signature can be checked independently. */
  readonly isVerified: boolean
}

/** Agents that are registered with the exchange and prove it; none unless that is configured. */
export interface KnownAgents {
  /**
   * Whose token this is, if the key in the manifest signed it and it was made for this audience; each token works
   * once.
   */
  verify(jwt: string, audience: string): Promise<{ readonly agentId: string } | undefined>
}

/** 32 random bytes in base64url. */
export type NewSecret = () => string

/** Reads a file from the daemon of another repository; throws a Fault when there is none, or it takes too long. */
export type FetchFile = (url: string, timeoutMillis: number, to?: Addressee) => AsyncIterable<Uint8Array>

/** The files of the repository that this daemon runs for. */
export interface RepositoryFiles {
  /** What each file below the root is like, in the order of the paths. */
  look(paths: readonly string[]): Promise<readonly FileLook[]>
}

/** The log of what callers did, and of calls that were refused. */
export interface AuditTrail {
  /** Neither waits nor throws: the line is written shortly after. */
  record(line: AuditLine): void
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditLine[]>
}

/** Why the store cannot be written, and what can be done about it; visible to everybody. */
export interface StoreProblem {
  readonly message: string
  readonly next: string
  /** Otherwise writing resumes without one. */
  readonly needsRestart?: true
}

/** The state of the store, as /health and `cacpd status` show it. */
export interface StoreHealth {
  /** `degraded`: writes are refused, reads go on. */
  status: 'healthy' | 'degraded'
  /** Why it is degraded. */
  problem?: StoreProblem
  /** At start the last frame of the journal was damaged and was moved to a quarantine file. */
  recovered: boolean
  seq: number
  projects: number
  /** How many statements are stored. */
  statements: number
  /** On disk: the snapshot, the journals with what waits to be written, and the files. */
  bytes: number
  quotaBytes: number
}

export interface Store extends AsyncDisposable {
  /**
   * Runs a pure decision on the current state and makes its changes durable before it answers. A decision without
   * changes is also answered only when everything it could see is durable; if that fails, the decision is repeated on
   * the state that is left. Throws what the decision throws (then nothing happened), or a storage Fault (then nothing
   * is stored). The decision takes effect in memory before this returns its promise.
   */
  commit<Result>(decide: (view: View) => Decision<Result>): Promise<Result>
  /** The current state, including what is not durable yet: to examine a request, never to answer it. */
  readonly view: View
  health(): StoreHealth
  /** Checks whether the disk takes data, also when nobody has written since it became full. */
  checkDiskSpace(): Promise<void>
  /** Identifies this store; a store that was wiped and created anew has another id. */
  readonly id: string
  /** All stored statements, in no particular order; `onDurable` continues from there. */
  statements(): Iterable<SequencedStatement>
  /** Calls the listener with every further statement once it is durable, in order. */
  onDurable(listener: (statements: readonly SequencedStatement[]) => void): void
  /** Calls the listener with the names of local records that were changed, once that is durable. */
  onLocal(listener: (changes: readonly Pick<LocalChange, 'table' | 'id'>[]) => void): void
}

/** A durable statement with its sequence number and the entity that it changes. */
export interface SequencedStatement extends Change {
  readonly statement: Statement
  /** The statement was removed. */
  readonly isDropped?: true
}

/** Files by the SHA-256 of their content. */
export interface Files {
  /**
   * Stores the bytes durably. More than `maxBytes`, a full store, or another hash than the expected one is refused,
   * and nothing is stored.
   */
  put(source: AsyncIterable<Uint8Array>, maxBytes: number, expected?: string): Promise<StoredFile>
  /** Removes the files that are not wanted and were not stored since then. */
  removeUnless(isWanted: (sha256: string) => boolean, since: Stamp): Promise<void>
  /** Undefined when there is no such file. */
  open(sha256: string): Promise<{ size: number; bytes: AsyncIterable<Uint8Array> } | undefined>
}
