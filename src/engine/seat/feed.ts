import type { Change } from '../../domain/change.ts'
import type { Caller } from '../../domain/env.ts'
import { type Cursor, cursorText, readCursor } from '../../domain/feed/cursor.ts'
import { type FeedEvent, toldOf, USUAL_KINDS } from '../../domain/feed/feed.ts'
import { maySee, projectOf } from '../../domain/lookup.ts'
import { isShutOut } from '../../domain/peers/refused-by-peer.ts'
import type { View } from '../../domain/view.ts'
import type { Feed, FeedPage, FeedQuery, FollowedFeed } from '../../methods/seat/service.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonText } from '../../protocol/json/text.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { ChangeLog } from '../log/change-log.ts'
import type { Clock, Store, Timers } from '../ports/ports.ts'
import { Places } from './inbox/places.ts'
import { NextChange } from './waits/next-change.ts'

export interface FeedRules {
  /** Who may follow at the same time. Those who are not at home here have half of the places at most. */
  readonly readersAtOnce: number
  /** How often a reader that gets nothing is looked at: it may have been shut out. */
  readonly lookMillis: number
}

export interface FeedDeps {
  readonly store: Pick<Store, 'id' | 'commit' | 'view'>
  readonly log: ChangeLog
  readonly timers: Timers
  readonly clock: Pick<Clock, 'now'>
  readonly rules: FeedRules
}

/** Changes passed over before others get their turn. */
const SLICE = 500

/** What a reader that follows is handed at a time. */
const LOT = { events: 50, bytes: 256 * 1024 }

/** Reads the log of durable changes for whoever asks, each at its own pace. */
export class ChangeFeed implements Feed {
  readonly #deps: FeedDeps
  readonly #next: NextChange
  readonly #places: Places

  constructor(deps: FeedDeps) {
    this.#deps = deps
    this.#next = new NextChange(deps.timers)
    this.#places = new Places(deps.rules.readersAtOnce)
  }

  cursor(): string {
    return cursorText(this.#newest())
  }

  async read({ limit, ...query }: FeedQuery & { limit: number }, caller: Caller): Promise<FeedPage> {
    const since = this.#placeOf(query.since) ?? 0
    this.#assertVisible(query, caller)
    return this.#page(since, query, { caller, most: { events: limit, bytes: LIMITS.answerBytes } })
  }

  follow(query: FeedQuery, caller: Caller, signal: AbortSignal): FollowedFeed {
    const since = this.#placeOf(query.since, query.sinceField) ?? this.#deps.log.seq
    this.#assertVisible(query, caller)
    const leave = this.#places.take(caller)
    if (leave === undefined)
      throw new Fault(
        'busy',
        `${this.#deps.rules.readersAtOnce} readers can follow the changes here, and the places are taken`,
        {
          next: 'Try again when one of them has left, or read with cacp/feed/read',
        },
      )
    // A reader that goes before it begins gives its place back, too.
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    return { cursor: this.#textOf(since), lots: this.#lots(since, { query, caller, signal, leave }) }
  }

  /** Something is durable that was not. */
  wake(): void {
    this.#next.tell()
  }

  /** Ends all that is followed. */
  close(): void {
    this.#next.close()
  }

  async *#lots(
    since: number,
    { query, caller, signal, leave }: Following,
  ): AsyncGenerator<readonly FeedEvent[]> {
    const { log, store, clock, rules } = this.#deps
    let seen = since
    try {
      while (!signal.aborted && !this.#next.isClosed) {
        const page = await this.#page(seen, query, { caller, most: LOT })
        if (signal.aborted || isShutOut(caller, store.view, clock.now())) return
        seen = this.#seqIn(page.cursor)
        if (page.events.length > 0) yield page.events
        else if (seen === log.seq) await this.#next.wait(signal, rules.lookMillis)
      }
    } finally {
      leave()
    }
  }

  async #page(since: number, query: FeedQuery, { caller, most }: Reading): Promise<FeedPage> {
    const { store, log, timers } = this.#deps
    const wanted = { kinds: new Set<string>(query.kinds ?? USUAL_KINDS), projectId: query.projectId, caller }
    let upTo = log.seq
    const changes: Change[] = []
    let passed = 0
    for (const change of log.after(since)) {
      // What changes while others have their turn comes later, at its new place.
      if (change.seq > upTo) break
      if (++passed % SLICE === 0) await new Promise<void>((resolve) => timers.after(0, resolve))
      if (!isWanted(change, wanted, store.view)) continue
      changes.push(change)
      if (changes.length > most.events) upTo = change.seq
    }
    // Told inside a commit, so that nothing is told that a crash could still take back.
    return store.commit((view) => ({ result: this.#tell(changes, { upTo, most, wanted, view }) }))
  }

  #tell(changes: readonly Change[], { upTo, most, wanted, view }: Telling): FeedPage {
    const events: FeedEvent[] = []
    let chars = 0
    for (const change of changes) {
      const found = isWanted(change, wanted, view) ? view.projects.get(change.project_id) : undefined
      const told = found && toldOf(change, found)
      if (told === undefined) continue
      chars += jsonText(told.value).length
      const last = events.at(-1)
      if (last !== undefined && (events.length === most.events || chars > most.bytes))
        return { events, cursor: last.cursor, more: true }
      events.push({ cursor: this.#textOf(change.seq), ...told })
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

interface Following {
  readonly query: FeedQuery
  readonly caller: Caller
  readonly signal: AbortSignal
  leave(): void
}

interface Reading {
  readonly caller: Caller
  readonly most: { readonly events: number; readonly bytes: number }
}

interface Wanted {
  readonly kinds: ReadonlySet<string>
  readonly projectId: string | undefined
  readonly caller: Caller
}

interface Telling extends Pick<Reading, 'most'> {
  readonly upTo: number
  readonly wanted: Wanted
  readonly view: View
}

/** Whether the caller asked for it, and may see it. */
function isWanted(change: Change, { kinds, projectId, caller }: Wanted, view: View): boolean {
  if (!kinds.has(change.kind) || (projectId ?? change.project_id) !== change.project_id) return false
  const found = view.projects.get(change.project_id)
  return found !== undefined && maySee(found, caller)
}
