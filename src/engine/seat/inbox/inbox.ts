import { newestOwnStatement } from '../../../domain/context/own-statement.ts'
import { type Caller, type Env, ownerOf, type Self } from '../../../domain/env.ts'
import { cursorText } from '../../../domain/feed/cursor.ts'
import { acknowledge } from '../../../domain/inbox/ack.ts'
import { readItemId, subjectKind } from '../../../domain/inbox/item.ts'
import { needsComparing, withReview } from '../../../domain/inbox/item-review.ts'
import type { InboxItem, WaitingItem } from '../../../domain/inbox/item-shape.ts'
import { maySee, projectOf } from '../../../domain/lookup.ts'
import { itemCalled } from '../../../domain/names/only-one.ts'
import { shortId } from '../../../domain/names/session-name.ts'
import type { InboxPage, InboxQuery } from '../../../methods/seat/inbox.ts'
import type { Inbox } from '../../../methods/seat/service.ts'
import { mergeSorted } from '../../../protocol/collections/merge-sorted.ts'
import { Fault } from '../../../protocol/fault.ts'
import { createChangeFollower } from '../../log/change-follower.ts'
import type { Parts } from '../../parts.ts'
import type { Background } from '../../timing/background-tasks.ts'
import { compareSortKeys, type SortedEntries } from '../sorted-entries.ts'
import { dutiesOf, InboxIndex, itemAt, type Seat } from './inbox-index.ts'
import type { InboxEntry } from './project-inbox.ts'
import { type Takeable, TakenItems } from './taken-items.ts'
import { createInboxWatchers } from './watchers.ts'

export interface InboxDeps extends Pick<Parts, 'store' | 'log' | 'pause' | 'failed'> {
  readonly self: Pick<Self, 'signer'>
  /** How long an item is taken for when the session does not say. */
  readonly takeMinutes: number
}

export interface DerivedInbox extends Inbox {
  /** The projects in which the caller has inbox entries, as of the last read. */
  projectsOf(caller: Caller): Iterable<string>
  /** Processes all entities in advance, so that the first caller does not wait for that. */
  warmUp(background: Background): Promise<void>
  /** To be called when there are new durable changes: wakes those watchers whose inbox has changed. */
  notice(): void
}

/** What the repos of a caller have to do, derived from the durable state. */
export function createInbox(deps: InboxDeps): DerivedInbox {
  const { self, store, pause, takeMinutes } = deps
  const index = new InboxIndex(() => self.signer.keyId)
  const watchers = createInboxWatchers(index)
  const items = new TakenItems()
  const follower = createChangeFollower({
    ...deps,
    take: (change) => {
      const found = store.view.projects.get(change.project_id)
      if (found !== undefined) watchers.note(index.put(change, found))
    },
  })

  return {
    async list({ projectId, limit, includeAcked, withReviews }, env) {
      if (projectId !== undefined) projectOf(store.view, projectId, env)
      await follower.catchUp()
      const seats = seatsOf(env.caller, projectId)
      const hidden = hiddenFrom(env.caller, seats)
      const shown = firstItems(seats, new Set(hidden.map(({ id }) => id)), { limit, includeAcked }).map(
        (item) => withTaker(item, seats, env),
      )
      const page: InboxPage = {
        items: shown,
        waitingFor: firstWaits(seats, limit),
        count: countOf(seats, URGENT) + countOf(seats, LOW) - (includeAcked ? 0 : hidden.length),
        cursor: cursorText({ storeId: store.id, seq: follower.seq }),
      }
      return withReviews ? { ...page, items: await reviewed(shown, seats) } : page
    },

    async urgent(caller) {
      await follower.catchUp()
      const seats = seatsOf(caller)
      const hidden = hiddenFrom(caller, seats).filter(({ urgency }) => urgency !== 'low')
      return countOf(seats, URGENT) - hidden.length
    },

    async take({ itemId, session, minutes = takeMinutes }, env) {
      await follower.catchUp()
      const { caller, now } = env
      const seats = seatsOf(caller)
      const item = takeable(existing(itemId, seats), seats)
      // A random name for a session without one, because two sessions without a name must not count as the same.
      const { by, until } = items.take(caller.agentId, item, {
        by: session ?? `session ${shortId(env.newId())}`,
        minutes,
        now,
      })
      const hint = `It is taken as session ${by}: name that to take it again`
      return { itemId: item.id, status: 'taken', by, until, ...(session === undefined ? { hint } : {}) }
    },

    async ack({ itemId, undo }, { caller, now }) {
      await follower.catchUp()
      const seats = seatsOf(caller)
      const item = existing(itemId, seats)
      const { agentId, person } = caller
      const id = ownerOf(caller)
      const stateOf = (itemNow: string) => find(itemNow, seats)?.state
      await store.commit((view) => {
        const acked = acknowledge(view.acks.get(id), { agentId, item, undo, now, stateOf })
        const value = acked.items.length === 0 ? null : acked
        return { result: undefined, local: [{ table: 'ack', id, value }] }
      })
      // What a person does not want to see any more, the agent may still be working on.
      if (person === undefined) items.giveBack(agentId, item.id)
      if (undo) watchers.wake(agentId)
      return { itemId: item.id, status: undo ? 'shown' : 'hidden', state: item.state }
    },

    async openQuestions() {
      await follower.catchUp()
      return (projectId) => index.openQuestionsIn(projectId)
    },

    projectsOf: (caller) => seatsOf(caller).keys(),
    watch: watchers.add,
    warmUp: (background) => follower.warmUp(background),

    notice() {
      if (watchers.isEmpty()) return
      follower.catchUp().then(
        () => watchers.wakeConcerned(),
        () => {}, // the next read of the inbox reports it
      )
    },
  }

  function withTaker(item: InboxItem, seats: Seats, { caller, now }: Env): InboxItem {
    const taken = items.of(caller.agentId, takeable(item, seats), now)
    return taken === undefined ? item : { ...item, taken }
  }

  /**
   * Contracts are compared for items that are shown, and for no others. Others get their turn between two of them: how
   * large the contents are is for those to say who wrote them.
   */
  async function reviewed(shown: readonly InboxItem[], seats: Seats): Promise<InboxItem[]> {
    const { projects } = store.view
    const all: InboxItem[] = []
    for (const item of shown) {
      const { projectId } = item
      const repoId = seats.get(projectId)?.repoId ?? ''
      const found = projects.get(projectId)
      if (found !== undefined && needsComparing(item, found, repoId)) await pause()
      const now = projects.get(projectId)
      all.push(now === undefined ? item : withReview(item, now, repoId))
    }
    return all
  }

  function takeable(item: InboxItem, seats: Seats): Takeable {
    const found = store.view.projects.get(item.projectId)
    const repoId = seats.get(item.projectId)?.repoId
    const ownStatement = () => (found && repoId !== undefined ? newestOwnStatement(item, found, repoId) : '')
    return { id: item.id, ownStatement }
  }

  /** The repos of the caller by project. */
  function seatsOf(caller: Caller, projectId?: string): Map<string, Seat> {
    const seats = new Map<string, Seat>()
    for (const [id, seat] of index.seatsOf(caller, projectId)) {
      const found = store.view.projects.get(id)
      if (found !== undefined && maySee(found, caller)) seats.set(id, seat)
    }
    return seats
  }

  /** The items that were acknowledged and have not changed since. */
  function hiddenFrom(caller: Caller, seats: Seats): readonly InboxItem[] {
    const acked = store.view.acks.get(ownerOf(caller))?.items ?? []
    return acked.flatMap(({ id, state }) => {
      const item = find(id, seats)
      return item?.state === state ? item : []
    })
  }
}

type Seats = ReadonlyMap<string, Seat>

const URGENT = { isLow: false }
const LOW = { isLow: true }

function find(itemId: string, seats: Seats): InboxItem | undefined {
  for (const { kind, projectId, id } of readItemId(itemId)) {
    const seat = seats.get(projectId)
    const item = seat && itemAt(seat, kind, { kind: subjectKind(kind), id })
    if (item !== undefined) return item
  }
  return undefined
}

function existing(itemId: string, seats: Seats): InboxItem {
  const item = find(itemId, seats) ?? called(itemId, seats)
  if (item !== undefined) return item
  throw new Fault('not_found', 'itemId: there is no such item in your inbox, or no longer', {
    next: 'Take it from cacp/inbox/list; it looks like answer_contract:<projectId>:<contractId>',
    data: { field: 'itemId', call: { method: 'cacp/inbox/list', params: {} } },
  })
}

/** An item is found by a name among this many of the oldest. */
const MAX_SEARCHED = 1000

function called(word: string, seats: Seats): InboxItem | undefined {
  const items = firstItems(seats, new Set(), { limit: MAX_SEARCHED, includeAcked: true })
  return itemCalled(items, word, { mayShorten: false })
}

function firstItems(
  seats: Seats,
  hidden: ReadonlySet<string>,
  { limit, includeAcked }: Pick<InboxQuery, 'limit' | 'includeAcked'>,
): InboxItem[] {
  const items: InboxItem[] = []
  for (const { inbox, subject, what } of inOrder(seats)) {
    if (items.length === limit) break
    const seat = seats.get(inbox.project.project_id)
    const item = seat && what !== 'wait' ? itemAt(seat, what, subject) : undefined
    if (item === undefined) continue
    if (!hidden.has(item.id)) items.push(item)
    else if (includeAcked) items.push({ ...item, acked: true })
  }
  return items
}

/** Oldest first, items of low urgency after all others. */
function* inOrder(seats: Seats): Iterable<InboxEntry> {
  for (const urgency of [URGENT, LOW])
    yield* merged([...seats.values()].flatMap((seat) => dutiesOf(seat, urgency)))
}

const merged = (orders: readonly SortedEntries<InboxEntry>[]): Iterable<InboxEntry> =>
  mergeSorted(
    orders.map(({ all }) => all),
    (a, b) => compareSortKeys(a, b) < 0,
  )

function firstWaits(seats: Seats, limit: number): WaitingItem[] {
  const waits: WaitingItem[] = []
  const orders = [...seats.values()].flatMap(({ inbox, repoId, isHolder }) =>
    isHolder ? (inbox.waitsOf(repoId) ?? []) : [],
  )
  for (const { inbox, subject } of merged(orders)) {
    if (waits.length === limit) break
    const seat = seats.get(inbox.project.project_id)
    const wait = seat && inbox.waiting(seat.repoId, subject)
    if (wait !== undefined) waits.push(wait)
  }
  return waits
}

function countOf(seats: Seats, urgency: { readonly isLow: boolean }): number {
  let count = 0
  for (const seat of seats.values()) for (const { size } of dutiesOf(seat, urgency)) count += size
  return count
}
