import type { Brief } from '../../domain/brief/brief.ts'
import type { Undelivered } from '../../domain/delivery/outbox.ts'
import type { Caller, Env } from '../../domain/env.ts'
import type { FeedEvent, FeedKind } from '../../domain/feed/feed.ts'
import type { InboxItem, WaitingItem } from '../../domain/inbox/item.ts'
import type { Until } from '../../domain/inbox/wait-goal.ts'
import type { Hit, HitKind } from '../../domain/search/hit.ts'
import type { JsonObject } from '../../protocol/json/json.ts'

/** Services that summarise the state for an agent. */

/** The durable changes, which can be read from any cursor on. */
export interface Feed {
  /** The cursor after the last known change. */
  cursor(): string
  read(query: FeedQuery & { readonly limit: number }, caller: Caller): Promise<FeedPage>
  /**
   * Reads like `read`, then continues with new changes until the signal is aborted, this daemon stops or the caller
   * loses access. An invalid query is refused at once. Nothing is buffered for a reader: it reads on when it has
   * processed what it got.
   */
  follow(query: FeedQuery, caller: Caller, signal: AbortSignal): FollowedFeed
}

export interface FeedQuery {
  /** Missing: from the very start or, when followed, from now on. */
  readonly since?: string | undefined
  /** The param that it came from, for the fault that refuses it. */
  readonly sinceField?: string
  readonly projectId?: string | undefined
  readonly kinds?: readonly FeedKind[] | undefined
}

export interface FeedPage {
  readonly events: readonly FeedEvent[]
  /** The cursor to go on from. */
  readonly cursor: string
  /** Whether there is more already. */
  readonly more: boolean
}

export interface FollowedFeed {
  /** The cursor from which it goes on. */
  readonly cursor: string
  readonly batches: AsyncIterable<readonly FeedEvent[]>
}

/** Writes a brief: the state for an agent in a few words, and what changed. */
export interface Briefing {
  brief(request: BriefRequest, env: Env): Promise<BriefAnswer>
}

export interface BriefRequest {
  /** Missing: only the present state, without changes. */
  readonly since?: string | undefined
  /** In tokens. */
  readonly budget: number
  readonly projectId?: string | undefined
}

export interface BriefAnswer extends Brief {
  readonly cursor: string
}

/** Full-text search. */
export interface Search {
  /** The best hits among what the caller may see. */
  find(request: SearchRequest, caller: Caller): Promise<SearchAnswer>
}

export interface SearchRequest {
  readonly query: string
  /** Restricts the search to this project. */
  readonly project?: string | undefined
  readonly kind?: HitKind | undefined
  readonly limit: number
}

export interface SearchAnswer {
  readonly hits: readonly Hit[]
  /** Including hits beyond the limit. */
  readonly total: number
}

/**
 * What a caller has to do in all projects that it may see: as the repo that its agent holds there, or as the repo of
 * its name if nobody holds it yet.
 */
export interface Inbox {
  list(query: InboxQuery, env: Env): Promise<InboxPage>
  /** The number of items that are neither hidden nor of low urgency. */
  urgent(caller: Caller): Promise<number>
  /** Marks an item as taken by a session for a while; refused while another session has it. */
  take(request: TakeRequest, env: Env): Promise<TakeAnswer>
  /** Hides an item until it changes. */
  ack(request: AckRequest, env: Env): Promise<AckAnswer>
  /**
   * Calls back when an agent's items may have changed, until the returned function is called. Read the inbox after
   * starting to watch: changes in between are then reported.
   */
  watch(looker: Pick<Caller, 'agentId' | 'repoName'>, wake: () => void): () => void
}

export interface InboxQuery {
  readonly projectId?: string | undefined
  readonly limit: number
  readonly includeAcked: boolean
}

export interface InboxPage {
  /** Oldest first, those of low urgency after all others. */
  readonly items: readonly InboxItem[]
  readonly waitingFor: readonly WaitingItem[]
  /** Including items beyond the limit. */
  readonly count: number
  readonly cursor: string
}

export interface TakeRequest {
  readonly itemId: string
  /** The session that takes it; undefined: an unnamed session, different from all others. */
  readonly session?: string | undefined
  readonly minutes?: number | undefined
}

export interface TakeAnswer {
  readonly itemId: string
  readonly status: 'taken'
  readonly by: string
  readonly until: string
  readonly hint?: string
}

export interface AckRequest {
  readonly itemId: string
  /** Whether to show it again. */
  readonly undo: boolean
}

export interface AckAnswer {
  readonly itemId: string
  readonly status: 'hidden' | 'shown'
  readonly state: string
}

/** Lets a caller wait for a state. */
export interface Waits {
  /** Answers as soon as a goal is reached, possibly at once, and at the latest when the time is over. */
  until(until: Until, options: WaitOptions): Promise<Waited>
}

export interface WaitOptions {
  readonly env: Env
  readonly millis: number
  /** Aborted when the caller stops waiting. */
  readonly gone?: (() => AbortSignal) | undefined
}

export type Waited =
  | {
      readonly met: true
      /** The index of the goal that was reached. */
      readonly condition: JsonObject
      /** A short description of the reached state. */
      readonly about: JsonObject
      /** The cursor up to which the state was checked, at least. */
      readonly cursor: string
    }
  | {
      readonly met: false
      readonly timedOut: true
      /** Whether this daemon stops, as opposed to a time-out. */
      readonly stopping?: true
      /** The state of each goal, in order, as far as it is known. */
      readonly pending?: readonly JsonObject[]
      readonly cursor: string
    }

/** What other daemons have not received yet. */
export interface Outbox {
  list(query: OutboxQuery): OutboxPage
}

export interface OutboxQuery {
  /** Agent ID of a peer. */
  readonly to?: string | undefined
  readonly projectId?: string | undefined
  readonly limit: number
}

export interface OutboxPage {
  readonly items: readonly Undelivered[]
  readonly peers: readonly OutboxPeer[]
  readonly more: boolean
}

/** A peer that has not received something yet. */
export interface OutboxPeer {
  readonly agentId: string
  readonly repo: string
  readonly behind: number | null
  readonly health: string
  readonly why: string
  readonly lastSeen: string | null
}
