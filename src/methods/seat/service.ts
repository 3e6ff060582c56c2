import type { Brief } from '../../domain/brief/brief.ts'
import type { Caller, Env } from '../../domain/env.ts'
import type { FeedEvent, FeedKind, FeedNotice } from '../../domain/feed/feed.ts'
import type { Until } from '../../domain/inbox/wait-goal.ts'
import type { ServedCall } from '../row.ts'
import type { BriefRequest } from './brief.ts'
import type { FeedPage } from './feed.ts'
import type { AckAnswer, AckRequest, InboxPage, InboxQuery, TakeAnswer, TakeRequest } from './inbox.ts'
import type { OutboxPage, OutboxQuery } from './outbox.ts'
import type { SearchAnswer, SearchRequest } from './search.ts'
import type { Waited } from './wait.ts'

/** The durable changes, which can be read from any cursor on. */
export interface Feed {
  /** The cursor after the last known change. */
  cursor(): string
  read(query: FeedQuery & { readonly limit: number }, caller: Caller): Promise<FeedPage>
  /** The other way round: the newest changes first, or those before a cursor. */
  readBack(query: BackwardQuery, caller: Caller): Promise<FeedPage>
  /**
   * Reads like `read`, then continues with new changes until the signal is aborted, this daemon stops or the caller
   * loses access. An invalid query is refused at once. Nothing is buffered for a reader: it reads on when it has
   * processed what it got.
   */
  follow(query: FeedQuery, caller: Caller, signal: AbortSignal): FollowedFeed<FeedEvent>
  /** The same without the entities. */
  followNotices(query: FeedQuery, caller: Caller, signal: AbortSignal): FollowedFeed<FeedNotice>
}

export interface BackwardQuery extends Pick<FeedQuery, 'projectId' | 'kinds'> {
  /** Missing: from now on back. */
  readonly before?: string | undefined
  readonly limit: number
}

export interface FeedQuery {
  /** Missing: from the very start or, when followed, from now on. */
  readonly since?: string | undefined
  /** The param that it came from, for the fault that refuses it. */
  readonly sinceField?: string
  readonly projectId?: string | undefined
  readonly kinds?: readonly FeedKind[] | undefined
}

export interface FollowedFeed<Event> {
  /** The cursor from which it goes on. */
  readonly cursor: string
  readonly batches: AsyncIterable<readonly Event[]>
}

/** Writes a brief: the state for an agent in a few words, and what changed. */
export interface Briefing {
  brief(request: BriefRequest, env: Env): Promise<BriefAnswer>
}

export interface BriefAnswer extends Brief {
  readonly cursor: string
}

export interface Search {
  /** The best hits among what the caller may see. */
  find(request: SearchRequest, caller: Caller): Promise<SearchAnswer>
}

/**
 * What a caller has to do in all projects that it may see: as the repo that its agent holds there, or as the repo of
 * its name if nobody holds it yet.
 */
export interface Inbox {
  list(query: InboxQuery, env: Env): Promise<InboxPage>
  /** The number of items that are neither hidden nor of low urgency. */
  urgent(caller: Caller): Promise<number>
  /** How many questions of a project nothing was decided on. */
  openQuestions(): Promise<(projectId: string) => number>
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

export interface Waits {
  /** Answers as soon as a goal is reached, possibly at once, and at the latest when the time is over. */
  until(until: Until, options: WaitOptions): Promise<Waited>
}

export interface WaitOptions extends Pick<ServedCall, 'env' | 'gone'> {
  readonly millis: number
}

/** What other daemons have not received yet. */
export interface Outbox {
  list(query: OutboxQuery): OutboxPage
}

/** Parts of this daemon that are shared with nobody, and so in no feed. */
export const LOCAL_PARTS = ['peers', 'runs', 'work', 'invites'] as const
export type LocalPart = (typeof LOCAL_PARTS)[number]

export interface LocalNews {
  readonly table: LocalPart
  /** Of what changed in it, at most 50. */
  readonly ids: readonly string[]
}
