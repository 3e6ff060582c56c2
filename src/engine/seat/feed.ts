import type { Change } from '../../domain/change.ts'
import type { Caller } from '../../domain/env.ts'
import { cursorText, readCursor } from '../../domain/feed/cursor.ts'
import { type FeedEvent, noticeOf, toldOf, USUAL_KINDS } from '../../domain/feed/feed.ts'
import { maySee, projectOf } from '../../domain/lookup.ts'
import { isShutOut } from '../../domain/peers/refused-by-peer.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { Feed, FeedQuery, FollowedFeed } from '../../methods/seat/service.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonText } from '../../protocol/json/text.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Parts } from '../parts.ts'
import type { Clock, Store } from '../ports/ports.ts'
import { pauseBy } from '../timing/pause.ts'
import { createSlots } from './inbox/slots.ts'
import type { SeatRules } from './rules.ts'
import { createNextChange } from './waits/next-change.ts'

interface FeedDeps extends Pick<Parts, 'log' | 'timers'> {
  readonly store: Pick<Store, 'id' | 'commit' | 'view'>
  readonly clock: Pick<Clock, 'now'>
  readonly rules: SeatRules['feed']
}

/** After how many changes other work gets its turn. */
const SLICE = 500

/** How much a reader that follows gets at a time. */
const BATCH = { events: 50, bytes: 256 * 1024 }

/** About how long an event without an entity is. */
const NOTICE_LENGTH = 400

/** Reads the log of durable changes for any number of readers, each at its own pace. */
export function createFeed(deps: FeedDeps): Feed & { wake(): void; close(): void } {
  const { store, log, timers, clock, rules } = deps
  const next = createNextChange(timers)
  const pause = pauseBy(timers)
  const takeSlot = createSlots(rules.readersAtOnce)

  return {
    cursor: () => textOf(log.seq),

    async read({ limit, ...query }, caller) {
      const since = placeOf(query.since) ?? 0
      const { seq, ...page } = await pageAfter(since, readingOf(query, caller, upTo(limit)), toldOf)
      return { ...page, cursor: textOf(seq) }
    },

    async readBack({ before, limit, ...query }, caller) {
      const from = placeOf(before, 'before') ?? log.seq + 1
      const { seq, ...page } = await pageBefore(from, readingOf(query, caller, upTo(limit)))
      return { ...page, cursor: textOf(seq) }
    },

    follow: (query, caller, signal) => followed(query, caller, signal, toldOf),
    followNotices: (query, caller, signal) => followed(query, caller, signal, noticeOf),

    /** To be called when there are new durable changes. */
    wake: next.notify,
    /** Ends all readers that follow. */
    close: next.close,
  }

  function followed<Event extends object>(
    query: FeedQuery,
    caller: Caller,
    signal: AbortSignal,
    tell: Tell<Event>,
  ): FollowedFeed<Event & Told> {
    const since = placeOf(query.since, query.sinceField) ?? log.seq
    const reading = readingOf(query, caller, BATCH)
    const leave = takeSlot(caller)
    if (leave === undefined)
      throw new Fault(
        'busy',
        `${rules.readersAtOnce} readers can follow the changes here, and the places are taken`,
        { next: 'Try again when one of them has left, or read with cacp/feed/read' },
      )
    // A reader that leaves before it has begun gives its place back, too.
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return { cursor: textOf(since), batches: batchesAfter(since, reading, { signal, leave, tell }) }
  }

  async function* batchesAfter<Event extends object>(
    since: number,
    reading: Reading,
    { signal, leave, tell }: { signal: AbortSignal; leave: () => void; tell: Tell<Event> },
  ): AsyncGenerator<readonly (Event & Told)[]> {
    let seen = since
    try {
      while (!signal.aborted && !next.isClosed) {
        const { events, seq } = await pageAfter(seen, reading, tell)
        if (signal.aborted || isShutOut(reading.caller, store.view, clock.now())) return
        seen = seq
        if (events.length > 0) yield events
        else if (seen === log.seq) await next.wait(signal, rules.recheckMillis)
      }
    } finally {
      leave()
    }
  }

  async function pageAfter<Event extends object>(
    since: number,
    reading: Reading,
    tell: Tell<Event>,
  ): Promise<Page<Event & Told>> {
    let upTo = log.seq
    const changes: Change[] = []
    let passed = 0
    for (const change of log.after(since)) {
      // An entity that changes while other work has its turn gets a new, later place in the log, so it is read there.
      if (change.seq > upTo) break
      if (++passed % SLICE === 0) await pause()
      if (projectOfWanted(change, reading, store.view) === undefined) continue
      changes.push(change)
      if (changes.length > reading.most.events) upTo = change.seq
    }
    // Read inside a commit, so that no event is sent that a crash could still undo.
    return store.commit((view) => {
      const { events, last, isCut } = eventsOf(changes, reading, view, tell)
      return {
        result: isCut ? { events, seq: last, more: true } : { events, seq: upTo, more: upTo < log.seq },
      }
    })
  }

  /** What changes meanwhile moves to the front, and is not read again on the pages that follow. */
  async function pageBefore(from: number, reading: Reading): Promise<Page<FeedEvent>> {
    const changes: Change[] = []
    let passed = 0
    for (const change of log.before(from)) {
      if (++passed % SLICE === 0) await pause()
      if (projectOfWanted(change, reading, store.view) !== undefined) changes.push(change)
      if (changes.length > reading.most.events) break
    }
    return store.commit((view) => {
      const { events, last, isCut } = eventsOf(changes, reading, view, toldOf)
      return { result: { events, seq: last, more: isCut || changes.length > reading.most.events } }
    })
  }

  /** As many of the events as the reader wants at a time, and the change of the last of them. */
  function eventsOf<Event extends object>(
    changes: readonly Change[],
    reading: Reading,
    view: View,
    tell: Tell<Event>,
  ) {
    const { most } = reading
    const events: (Event & Told)[] = []
    let last = 0
    let chars = 0
    for (const change of changes) {
      const found = projectOfWanted(change, reading, view)
      const event = found && tell(change, found)
      if (event === undefined) continue
      chars += 'value' in event ? jsonText(event.value as object).length : NOTICE_LENGTH
      if (events.length > 0 && (events.length === most.events || chars > most.bytes))
        return { events, last, isCut: true }
      last = change.seq
      events.push({ cursor: textOf(last), ...event })
    }
    return { events, last, isCut: false }
  }

  /** Throws where the caller names a project that it may not see. */
  function readingOf(query: FeedQuery, caller: Caller, most: Reading['most']): Reading {
    const { kinds = USUAL_KINDS, projectId } = query
    if (projectId !== undefined) projectOf(store.view, projectId, { caller })
    return { kinds: new Set<string>(kinds), projectId, caller, most }
  }

  function textOf(seq: number): string {
    return cursorText({ storeId: store.id, seq })
  }

  function placeOf(since: string | undefined, field?: string): number | undefined {
    return since === undefined ? undefined : readCursor(since, { storeId: store.id, seq: log.seq }, field)
  }
}

/** Makes the event of a change, without its cursor. */
type Tell<Event> = (change: Change, found: ProjectView) => Event | undefined

interface Told {
  readonly cursor: string
}

/** Up to which change a page goes, and whether there is more already. */
interface Page<Event> {
  readonly events: readonly Event[]
  readonly seq: number
  readonly more: boolean
}

/** What a reader wants, and how much of it at a time. */
interface Reading {
  readonly kinds: ReadonlySet<string>
  readonly projectId: string | undefined
  readonly caller: Caller
  readonly most: { readonly events: number; readonly bytes: number }
}

const upTo = (events: number): Reading['most'] => ({ events, bytes: LIMITS.answerBytes })

/** Undefined if the caller did not ask for the change, or may not see it. */
function projectOfWanted(change: Change, reading: Reading, view: View): ProjectView | undefined {
  const { kinds, projectId = change.project_id, caller } = reading
  if (!kinds.has(change.kind) || projectId !== change.project_id) return undefined
  const found = view.projects.get(projectId)
  return found !== undefined && maySee(found, caller) ? found : undefined
}
