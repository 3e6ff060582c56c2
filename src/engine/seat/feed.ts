import type { Change } from '../../domain/change.ts'
import type { Caller } from '../../domain/env.ts'
import { type Cursor, cursorText, readCursor } from '../../domain/feed/cursor.ts'
import { type FeedEvent, toldOf, USUAL_KINDS } from '../../domain/feed/feed.ts'
import { maySee, projectOf } from '../../domain/lookup.ts'
import { isShutOut } from '../../domain/peers/refused-by-peer.ts'
import type { View } from '../../domain/view.ts'
import type { FeedPage } from '../../methods/seat/feed.ts'
import type { Feed, FeedQuery, FollowedFeed } from '../../methods/seat/service.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonText } from '../../protocol/json/text.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ChangeLog } from '../log/change-log.ts'
import type { Clock, Store, Timers } from '../ports/ports.ts'
import { Slots } from './inbox/slots.ts'
import { NextChange } from './waits/next-change.ts'

export interface FeedRules {
  /**
   * How many readers may follow at the same time. Callers without the operator key get at most half of the places.
   */
  readonly readersAtOnce: number
  /** How often a reader that gets no changes is checked: it may have lost its access. */
  readonly recheckMillis: number
}

export interface FeedDeps {
  readonly store: Pick<Store, 'id' | 'commit' | 'view'>
  readonly log: ChangeLog
  readonly timers: Timers
  readonly clock: Pick<Clock, 'now'>
  readonly rules: FeedRules
}

/** After how many changes other work gets its turn. */
const SLICE = 500

/** How much a reader that follows gets at a time. */
const BATCH = { events: 50, bytes: 256 * 1024 }

/** Reads the log of durable changes for any number of readers, each at its own pace. */
export class ChangeFeed implements Feed {
  readonly #deps: FeedDeps
  readonly #next: NextChange
  readonly #slots: Slots

  constructor(deps: FeedDeps) {
    this.#deps = deps
    this.#next = new NextChange(deps.timers)
    this.#slots = new Slots(deps.rules.readersAtOnce)
  }

  cursor(): string {
    return cursorText(this.#newest())
  }

  async read({ limit, ...query }: FeedQuery & { limit: number }, caller: Caller): Promise<FeedPage> {
    const since = this.#placeOf(query.since) ?? 0
    this.#assertVisible(query, caller)
    return this.#page(since, readingOf(query, caller, { events: limit, bytes: LIMITS.answerBytes }))
  }

  follow(query: FeedQuery, caller: Caller, signal: AbortSignal): FollowedFeed {
    const since = this.#placeOf(query.since, query.sinceField) ?? this.#deps.log.seq
    this.#assertVisible(query, caller)
    const leave = this.#slots.take(caller)
    if (leave === undefined)
      throw new Fault(
        'busy',
        `${this.#deps.rules.readersAtOnce} readers can follow the changes here, and the places are taken`,
        {
          next: 'Try again when one of them has left, or read with cacp/feed/read',
        },
      )
    // A reader that leaves before it has begun gives its place back, too.
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    const batches = this.#batches(since, readingOf(query, caller, BATCH), { signal, leave })
    return { cursor: this.#textOf(since), batches }
  }

  /** To be called when there are new durable changes. */
  wake(): void {
    this.#next.notify()
  }

  /** Ends all readers that follow. */
  close(): void {
    this.#next.close()
  }

  async *#batches(
    since: number,
    reading: Reading,
    { signal, leave }: { signal: AbortSignal; leave: () => void },
  ): AsyncGenerator<readonly FeedEvent[]> {
    const { log, store, clock, rules } = this.#deps
    let seen = since
    try {
      while (!signal.aborted && !this.#next.isClosed) {
        const page = await this.#page(seen, reading)
        if (signal.aborted || isShutOut(reading.caller, store.view, clock.now())) return
        seen = this.#seqIn(page.cursor)
        if (page.events.length > 0) yield page.events
        else if (seen === log.seq) await this.#next.wait(signal, rules.recheckMillis)
      }
    } finally {
      leave()
    }
  }

  async #page(since: number, reading: Reading): Promise<FeedPage> {
    const { store, log, timers } = this.#deps
    let upTo = log.seq
    const changes: Change[] = []
    let passed = 0
    for (const change of log.after(since)) {
      // An entity that changes while other work has its turn gets a new, later place in the log, so it is read there.
      if (change.seq > upTo) break
      if (++passed % SLICE === 0) await new Promise<void>((resolve) => timers.after(0, resolve))
      if (!isWanted(change, reading, store.view)) continue
      changes.push(change)
      if (changes.length > reading.most.events) upTo = change.seq
    }
    // Read inside a commit, so that no event is sent that a crash could still undo.
    return store.commit((view) => ({ result: this.#pageOf(changes, reading, { upTo, view }) }))
  }

  #pageOf(
    changes: readonly Change[],
    reading: Reading,
    { upTo, view }: { upTo: number; view: View },
  ): FeedPage {
    const { most } = reading
    const events: FeedEvent[] = []
    let chars = 0
    for (const change of changes) {
      const found = isWanted(change, reading, view) ? view.projects.get(change.project_id) : undefined
      const event = found && toldOf(change, found)
      if (event === undefined) continue
      chars += jsonText(event.value).length
      const last = events.at(-1)
      if (last !== undefined && (events.length === most.events || chars > most.bytes))
        return { events, cursor: last.cursor, more: true }
      events.push({ cursor: this.#textOf(change.seq), ...event })
    }
    return { events, cursor: this.#textOf(upTo), more: upTo < this.#deps.log.seq }
  }

  #assertVisible({ projectId }: FeedQuery, caller: Caller): void {
    if (projectId !== undefined) projectOf(this.#deps.store.view, projectId, { caller })
  }

  #newest(): Cursor {
    const { store, log } = this.#deps
    return { storeId: store.id, seq: log.seq }
  }

  #textOf(seq: number): string {
    return cursorText({ storeId: this.#deps.store.id, seq })
  }

  #seqIn(cursor: string): number {
    return readCursor(cursor, this.#newest())
  }

  #placeOf(since: string | undefined, field?: string): number | undefined {
    return since === undefined ? undefined : readCursor(since, this.#newest(), field)
  }
}

/** What a reader wants, and how much of it at a time. */
interface Reading {
  readonly kinds: ReadonlySet<string>
  readonly projectId: string | undefined
  readonly caller: Caller
  readonly most: { readonly events: number; readonly bytes: number }
}

const readingOf = (
  { kinds = USUAL_KINDS, projectId }: FeedQuery,
  caller: Caller,
  most: Reading['most'],
): Reading => ({ kinds: new Set<string>(kinds), projectId, caller, most })

/** Whether the caller asked for the change and may see it. */
function isWanted(change: Change, { kinds, projectId, caller }: Reading, view: View): boolean {
  if (!kinds.has(change.kind) || (projectId ?? change.project_id) !== change.project_id) return false
  const found = view.projects.get(change.project_id)
  return found !== undefined && maySee(found, caller)
}
