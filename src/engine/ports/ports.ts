import type { Change, Decision } from '../../domain/change.ts'
import type { Signer } from '../../domain/env.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import type { AuditLine, AuditQuery } from '../../domain/trust/audit.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { StoredFile, View } from '../../domain/view.ts'
import type { ReadManifest } from '../../protocol/agent/adp.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** What the engine needs of the world. Each port is implemented once in io/ and replaced in simulations. */

export interface Clock {
  now(): Stamp
  newId(): string
  /** 16 random bytes in base64url. */
  newNonce(): string
}

export interface Timers {
  /** Runs the task later, unless what is returned is called before. */
  after(millis: number, task: () => void): () => void
  /** Milliseconds since some moment; they never go back, whatever becomes of the clock. */
  millis(): number
}

/** A number from 0 to 1, 1 excluded. */
export type Random = () => number

/**
 * HTTP to the daemons of other repositories. Both answer the body, or throw a Fault that says why there is none.
 * What is got is public, and is asked for without a key.
 * Without `to` the URL is one that the operator named. With a signal it is broken off when that is given.
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
 * The agent that a URL is of: it is shown the key that it gave us, must show the certificate that we know, and is
 * looked for only where it may be. Or somebody not known yet, at a URL and with a certificate that the operator named.
 */
export type Addressee = string | { readonly certificate: string | null; readonly holder?: KeyHolder }

/** Who is to prove on a connection in clear that it has this key. */
export interface KeyHolder {
  readonly agentId: string
  readonly endpoint: string
  readonly key: PublicKey
}

/** The key pair by which this daemon proves who it is. The private half never leaves io/. */
export interface Identity {
  readonly publicKey: PublicKey
  /** RFC 7638 thumbprint of the public key. */
  readonly keyId: string
  /** A compact JWS over the claims, with this `typ` in its header. */
  sign(claims: JsonObject, typ: string): Promise<string>
  /** A bare Ed25519 signature in base64, for formats that are not JWS. */
  signBytes(bytes: Uint8Array): Promise<string>
  /** The signature of a statement of this id, in base64url, by this key of ours: the present one, or one just replaced. */
  signStatement(id: string, keyId: string): Promise<string>
  /** The claims of a JWS that this daemon itself signed, for a while also with a key it has replaced since. */
  verifyOwn(jws: string, typ: string): Promise<JsonObject | undefined>
}

/**
 * An identity whose key can be replaced. The old key vouches for the new one, so that peers can follow. The new one is on
 * disk before anything is said of it, and the old one until all is said.
 */
export interface RotatingIdentity extends Identity {
  /** The key that is to follow; undefined unless one was made that has not taken the place of the present one. */
  readonly next: Signer | undefined
  /** Makes the key that is to follow, unless there is one; durable when it returns. */
  makeNext(): Promise<Signer>
  /** Throws the key away that was to follow, before anything was said about it. Durable when it returns. */
  forgetNext(): Promise<void>
  /** Speaks by the next key from now on. Returns what takes that back. */
  takeNext(): () => void
  /** A signature of this text in base64url, by the present key or the next one. */
  signText(text: string, keyId: string): Promise<string>
  /** The present key, then those that were replaced only a while ago. */
  publicKeys(): readonly PublicKey[]
  /** The statements of all keys so far about those that followed them, oldest first. */
  readonly rotations: readonly string[]
  /** The next key takes the place of the present one for good. Durable when it returns. */
  rotate(agentId: string): Promise<void>
}

/**
 * The claims of a JWS of this `typ` if this very key signed it, else undefined. Its own headers name no key.
 * Whether the claims hold now and here (exp, aud and so on) is for the caller to look at.
 */
export type VerifySignature = (jws: string, key: PublicKey, typ: string) => Promise<JsonObject | undefined>

/** Whether this key made this bare signature (in base64url) over this text. Works on another thread. */
export type VerifyText = (text: string, key: PublicKey, signature: string) => Promise<boolean>

/** Whether this key made this bare signature (in base64) over these bytes. */
export type VerifyBytes = (bytes: Uint8Array, key: PublicKey, signature: string) => boolean

/** The ADP exchange that this daemon was told of. What it answers is a stranger's; without an answer there is a Fault. */
export interface AdpExchange {
  /** The JSON of a manifest. */
  register(manifest: string): Promise<void>
  search(search: AdpSearch): Promise<AdpPage>
  /** The newest first, as a rule. */
  browse(page: { limit: number; offset: number }): Promise<AdpPage>
  /** Undefined when nobody is registered by this name. */
  get(aid: string): Promise<ListedAgent | undefined>
}

export interface AdpSearch {
  readonly query: string
  readonly filters: JsonObject
  readonly limit: number
  readonly offset: number
}

export interface AdpPage {
  /** Those whose manifests can be read. */
  readonly agents: readonly ListedAgent[]
  readonly total: number
}

export interface ListedAgent extends ReadManifest {
  /** What the exchange says. Whether its signature holds can be seen for oneself. */
  readonly isVerified: boolean
}

/** Agents that are registered with the exchange and prove it; none unless that is configured. */
export interface KnownAgents {
  /** Whose token this is, if its key is in the manifest and it was made for this audience; each works once. */
  verify(jwt: string, audience: string): Promise<{ readonly agentId: string } | undefined>
}

/** 32 random bytes in base64url. */
export type NewSecret = () => string

/** Reads a file from the daemon of another repository; ends with a Fault when there is none, or it takes too long. */
export type FetchFile = (url: string, timeoutMillis: number, to?: Addressee) => AsyncIterable<Uint8Array>

/** Who was let in and who was not. */
export interface AuditTrail {
  /** Neither waits nor throws: it is written a moment later. */
  record(line: AuditLine): void
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditLine[]>
}

/** Why the store takes nothing in, and what can be done about it; for everybody to read. */
export interface StoreProblem {
  readonly message: string
  readonly next: string
  /** Else it goes on by itself. */
  readonly needsRestart?: true
}

/** How the store is doing; shown by /health and `cacpd status`. */
export interface StoreHealth {
  /** `degraded`: writes are refused, and reads go on. */
  status: 'healthy' | 'degraded'
  /** Why, when it is degraded. */
  problem?: StoreProblem
  /** The last frame of the journal was damaged at start and set aside. */
  recovered: boolean
  seq: number
  projects: number
  /** How many are kept. */
  statements: number
  /** On disk: the snapshot, the journals with what waits to be written, and the files. */
  bytes: number
  quotaBytes: number
}

export interface Store extends AsyncDisposable {
  /**
   * Runs a pure decision on the present state and makes its changes durable before answering.
   * Also a decision without changes answers only when everything it could see is on disk; if that fails,
   * it is made again on what is left.
   * Throws what the decision throws (nothing happened then), or a storage Fault (nothing is kept).
   * What it decides has an effect in memory before this returns its promise.
   */
  commit<Result>(decide: (view: View) => Decision<Result>): Promise<Result>
  /** The present state, also what is not on disk yet: to look at a request, never to answer it from. */
  readonly view: View
  health(): StoreHealth
  /** Finds out whether the disk takes data, also where nobody has written since it became full. */
  lookAtDisk(): Promise<void>
  /** Tells this store from every other one, also from one that was wiped and laid out anew. */
  readonly id: string
  /** Everything that is kept of shared state, in no particular order: where onDurable goes on from. */
  statements(): Iterable<SequencedStatement>
  /** Calls the listener with every further statement once it is on disk, in order. */
  onDurable(listener: (statements: readonly SequencedStatement[]) => void): void
}

/** A durable statement with its place in the order of its store, and the entity that it changes. */
export interface SequencedStatement extends Change {
  readonly statement: Statement
  /** It is kept no more. */
  readonly isDropped?: true
}

/** Files by the SHA-256 of their content. */
export interface Files {
  /**
   * Stores the bytes durably; more than `maxBytes`, or a full store, is refused and leaves nothing behind.
   * So are bytes of another hash, where one is expected.
   */
  put(source: AsyncIterable<Uint8Array>, maxBytes: number, expected?: string): Promise<StoredFile>
  /** Removes the files that nobody wants and that nobody brought since then. */
  removeUnless(isWanted: (sha256: string) => boolean, since: Stamp): Promise<void>
  /** Undefined when there is no such file. */
  open(sha256: string): Promise<{ size: number; bytes: AsyncIterable<Uint8Array> } | undefined>
}
