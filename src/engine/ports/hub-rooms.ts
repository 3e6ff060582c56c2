import type { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** What a connection to the hub offers beside statements. Nothing that comes from there is believed. */
export interface HubRooms {
  readonly wire: HubWire
  readonly cards: HubCards
  readonly files: HubFiles
}

/** Messages that are not kept: whoever listens now gets them. */
export interface HubWire {
  /** The largest message, in bytes. */
  readonly maxBytes: number
  /** A subject that nobody else can guess, on which this daemon may listen. */
  newInbox(): string
  publish(subject: string, message: WireMessage): void
  /** Calls `heed` with every message until the returned function is called. */
  listen(subject: string, heed: (message: HeardMessage) => void, options?: ListenOptions): () => void
}

export interface ListenOptions {
  /** Of several listeners of one queue each message reaches one. */
  readonly queue?: string
  /** Called where this daemon may not listen there. */
  readonly failed?: (fault: Fault) => void
}

/** The hub by its organisation, while this daemon is connected. */
export type CallPlace = Pick<HubRooms, 'wire'> & { readonly org: string }

export interface WireMessage {
  /** The signature, and what it says. */
  readonly proof: string
  readonly body: Uint8Array
  /** Where the other side answers. */
  readonly reply?: string
}

export interface HeardMessage extends WireMessage {
  /** The hub says so instead of the one who was called: nobody listens there. */
  readonly isUnheard: boolean
}

/** The cards of an organisation, while this daemon is connected. */
export type CardPlace = Pick<HubRooms, 'cards'> & { readonly org: string }

/** Who is on the hub: one text for each agent. */
export interface HubCards {
  put(agentId: string, text: string): Promise<void>
  get(agentId: string): Promise<KeptCard | undefined>
  /** So many at most. */
  list(most: number, signal: AbortSignal): Promise<readonly KeptCard[]>
}

export interface KeptCard {
  /** The agent ID, as subjects have it. */
  readonly token: string
  /** Empty when it is longer than any card. */
  readonly text: string
  readonly at: Stamp
}

/** Files by their SHA-256. */
export interface HubFiles {
  has(sha256: string): Promise<boolean>
  put(sha256: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Undefined where there is none. The bytes can be any: whoever stores them compares the hash. */
  get(sha256: string): Promise<AsyncIterable<Uint8Array> | undefined>
}

/** A request to another daemon over the hub. */
export interface HubRequest {
  readonly agentId: string
  readonly verb: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface HubAnswer {
  readonly status: number
  readonly contentType: string
  /** Must be read, or be discarded. */
  readonly body: AsyncIterable<Uint8Array>
  discard(): Promise<void>
}

/** Asks another daemon over the hub. Throws a Fault where no answer comes, and the reason of the signal. */
export type AskOnHub = (request: HubRequest, signal?: AbortSignal | null) => Promise<HubAnswer>

/** Has a call that came over the hub answered by the daemon's own server, like any other; the ticket says who calls. */
export type ServeCall = (
  request: Omit<HubRequest, 'agentId'> & { readonly ticket: string },
  signal: AbortSignal,
) => Promise<HubAnswer>
