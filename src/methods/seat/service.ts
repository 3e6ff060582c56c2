import type { Brief } from '../../domain/brief/brief.ts'
import type { Undelivered } from '../../domain/delivery/outbox.ts'
import type { Caller, Env } from '../../domain/env.ts'
import type { FeedEvent, FeedKind } from '../../domain/feed/feed.ts'
import type { InboxItem, WaitingItem } from '../../domain/inbox/item.ts'
import type { Until } from '../../domain/inbox/wait-goal.ts'
import type { Hit, HitKind } from '../../domain/search/hit.ts'
import type { JsonObject } from '../../protocol/json/json.ts'

/** What an agent is told of the state without asking for each part of it. */

/** Every durable change, to be read from any place in their order. */
export interface Feed {
  /** Up to where everything is known now. */
  cursor(): string
  read(query: FeedQuery & { readonly limit: number }, caller: Caller): Promise<FeedPage>
  /**
   * The same, and then what comes, until the signal is aborted, this daemon stops or the caller is shut out. What is
   * refused is refused at once. Nothing is kept for a reader: it reads on when it has taken what it got.
   */
  follow(query: FeedQuery, caller: Caller, signal: AbortSignal): FollowedFeed
}

export interface FeedQuery {
  /** Left out: from the very start, or when followed, from now on. */
  readonly since?: string | undefined
  /** Where that came from, for the sentence that refuses it. */
  readonly sinceField?: string
  readonly projectId?: string | undefined
  readonly kinds?: readonly FeedKind[] | undefined
}

export interface FeedPage {
  readonly events: readonly FeedEvent[]
  /** To go on from. */
  readonly cursor: string
  /** Whether there is something more already. */
  readonly more: boolean
}

export interface FollowedFeed {
  /** From which it goes on. */
  readonly cursor: string
  readonly lots: AsyncIterable<readonly FeedEvent[]>
}

/** Tells an agent in a few words how things stand for it, and what changed. */
export interface Briefing {
  brief(request: BriefRequest, env: Env): Promise<BriefAnswer>
}

export interface BriefRequest {
  /** Left out: how things stand, and nothing of what changed. */
  readonly since?: string | undefined
  /** In tokens. */
  readonly budget: number
  readonly projectId?: string | undefined
}

export interface BriefAnswer extends Brief {
  readonly cursor: string
}

/** Finds things by their words. */
export interface Search {
  /** What the caller may see, the best first. */
  find(request: SearchRequest, caller: Caller): Promise<SearchAnswer>
}

export interface SearchRequest {
  readonly query: string
  /** Only in this project. */
  readonly project?: string | undefined
  readonly kind?: HitKind | undefined
  readonly limit: number
}

export interface SearchAnswer {
  readonly hits: readonly Hit[]
  /** Also those beyond the limit. */
  readonly total: number
}

/**
 * What a caller has to do: in all projects that it may see, as the repo that its agent holds there, or whose name it
 * goes by where nobody holds it yet.
 */
export interface Inbox {
  list(query: InboxQuery, env: Env): Promise<InboxPage>
  /** How many there are of what is not hidden, nor of low urgency. */
  urgent(caller: Caller): Promise<number>
  /** Says who works on an item, for a while; refused while somebody else does. */
  take(request: TakeRequest, env: Env): Promise<TakeAnswer>
  /** Hides an item until it changes. */
  ack(request: AckRequest, env: Env): Promise<AckAnswer>
  /**
   * Calls back when what an agent has to do may have changed, until the returned function is called. Look after you
   * began to watch, not before: what changes in between is told.
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
  /** Also those beyond the limit. */
  readonly count: number
  readonly cursor: string
}

export interface TakeRequest {
  readonly itemId: string
  /** Who takes it; undefined: somebody who is like nobody else. */
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
  /** Shows it again. */
  readonly undo: boolean
}

export interface AckAnswer {
  readonly itemId: string
  readonly status: 'hidden' | 'shown'
  readonly state: string
}

/** Lets a caller wait for the state to become what it needs. */
export interface Waits {
  /** Answers as soon as it is true, also when that is at once, and in any case when the time is over. */
  until(until: Until, options: WaitOptions): Promise<Waited>
}

export interface WaitOptions {
  readonly env: Env
  readonly millis: number
  /** Aborted when the caller does not wait any more. */
  readonly gone?: (() => AbortSignal) | undefined
}

export type Waited =
  | {
      readonly met: true
      /** Which one of several. */
      readonly condition: JsonObject
      /** What is true now, in short. */
      readonly about: JsonObject
      /** Up to where everything was looked at, at least. */
      readonly cursor: string
    }
  | {
      readonly met: false
      readonly timedOut: true
      /** Not the time is over: this daemon ends. */
      readonly stopping?: true
      /** How it stands with what was waited for, in its order, as far as the state tells. */
      readonly pending?: readonly JsonObject[]
      readonly cursor: string
    }

/** What has not arrived at other daemons. */
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

/** A peer that something has not arrived at. */
export interface OutboxPeer {
  readonly agentId: string
  readonly repo: string
  readonly behind: number | null
  readonly health: string
  readonly why: string
  readonly lastSeen: string | null
}
