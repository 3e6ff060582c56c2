import type { Change } from '../../../domain/change.ts'
import { pendingOf } from '../../../domain/inbox/pending.ts'
import { type Goal, goalsIn, reached, type Until } from '../../../domain/inbox/wait-goal.ts'
import { isShutOut } from '../../../domain/peers/refused-by-peer.ts'
import type { Feed, Inbox, WaitOptions, Waits } from '../../../methods/seat/service.ts'
import type { Waited } from '../../../methods/seat/wait.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { JsonObject } from '../../../protocol/json/json.ts'
import { keyNeeded } from '../../dispatch/access.ts'
import type { Parts } from '../../parts.ts'
import { Slots } from '../inbox/slots.ts'
import { Waiting } from './waiting.ts'
import { keysOfChange, keysOfGoal } from './wake-keys.ts'

export interface WaitRules {
  /** How many callers may wait at the same time. Those without the operator key get at most half of the places. */
  readonly atOnce: number
}

export interface WaitDeps extends Pick<Parts, 'store' | 'timers' | 'clock'> {
  readonly feed: Feed
  readonly inbox: Pick<Inbox, 'urgent' | 'list' | 'watch'>
  readonly rules: WaitRules
}

const MOST_ITEMS_NAMED = 5

/** After how many woken callers other work gets its turn. */
const SLICE = 20

/** Lets callers wait until the state is as they need it; a change wakes only the callers whom it may concern. */
export class StateWaits implements Waits {
  readonly #deps: WaitDeps
  readonly #byKey = new Map<string, Set<Waiting>>()
  readonly #all = new Set<Waiting>()
  readonly #slots: Slots
  readonly #toWake = new Set<Waiting>()
  #isWaking = false
  #isClosed = false

  constructor(deps: WaitDeps) {
    this.#deps = deps
    this.#slots = new Slots(deps.rules.atOnce)
  }

  async until(until: Until, options: WaitOptions): Promise<Waited> {
    const { env } = options
    const leave = this.#slots.take(env.caller)
    if (leave === undefined) throw this.#noRoom()
    const waiting = new Waiting(goalsIn(until), env)
    // Entered before the first check, so that no change is missed between the two.
    this.#enter(waiting)
    const unwatch = waiting.goals.some(({ inbox }) => inbox !== undefined)
      ? this.#deps.inbox.watch(env.caller, () => this.#wakeSoon(waiting))
      : undefined
    try {
      const met = await this.#check(waiting)
      return met ?? (await this.#wait(waiting, options))
    } catch (error) {
      throw this.#withWayOn(error)
    } finally {
      unwatch?.()
      this.#forget(waiting)
      leave()
    }
  }

  /** To be called with changes that have become durable. */
  changed(changes: readonly Change[]): void {
    if (this.#all.size === 0) return
    const { view } = this.#deps.store
    for (const change of changes)
      for (const { key, wakes } of keysOfChange(change, view))
        for (const waiting of this.#byKey.get(key) ?? [])
          if (wakes === undefined || waiting.goals.some(wakes) || isShutOut(waiting.env.caller, view))
            this.#wakeSoon(waiting)
  }

  /** Answers all waiting callers now, and later ones at once. */
  close(): void {
    this.#isClosed = true
    for (const waiting of this.#all) waiting.wake('over')
  }

  #wakeSoon(waiting: Waiting): void {
    this.#toWake.add(waiting)
    if (this.#isWaking) return
    this.#isWaking = true
    queueMicrotask(() => void this.#wakeInSlices())
  }

  async #wakeInSlices(): Promise<void> {
    let count = 0
    for (const waiting of this.#toWake) {
      this.#toWake.delete(waiting)
      waiting.wake('changed')
      if (++count % SLICE === 0) await new Promise<void>((resolve) => this.#deps.timers.after(0, resolve))
    }
    this.#isWaking = false
  }

  async #wait(waiting: Waiting, { millis, gone }: WaitOptions): Promise<Waited> {
    const { timers, feed } = this.#deps
    const giveUp = () => waiting.wake('over')
    const signal = gone?.()
    const cancel = timers.after(millis, giveUp)
    signal?.addEventListener('abort', giveUp, { once: true })
    if (this.#isClosed || signal?.aborted === true) giveUp()
    try {
      for (;;) {
        const isLast = (await waiting.next()) === 'over'
        const cursor = feed.cursor()
        const met = await this.#check(waiting)
        if (met !== undefined) return met
        const stopping = this.#isClosed ? { stopping: true as const } : {}
        if (isLast)
          return { met: false, timedOut: true, ...stopping, ...(await this.#pending(waiting)), cursor }
      }
    } finally {
      cancel()
      signal?.removeEventListener('abort', giveUp)
    }
  }

  /** Which of its goals is reached, in the durable state. */
  async #check(waiting: Waiting): Promise<Waited | undefined> {
    const { store, feed, clock } = this.#deps
    const { goals, env } = waiting
    const { caller } = env
    // Taken before the check, so that a caller that goes on from this cursor misses nothing.
    const cursor = feed.cursor()
    const inState = await store.commit((view) => {
      if (isShutOut(caller, view, clock.now())) throw keyNeeded('What is waited for')
      return { result: goals.map((goal) => reached(view, goal, caller)) }
    })
    for (const [index, goal] of goals.entries()) {
      const about = inState[index] ?? (await this.#beyondState(goal, waiting))
      if (about !== undefined) return { met: true, condition: goal as JsonObject, about, cursor }
    }
    return undefined
  }

  /** What is still missing for each goal, in the durable state. */
  async #pending({ goals, env }: Waiting): Promise<{ readonly pending?: readonly JsonObject[] }> {
    const stands = await this.#deps.store.commit((view) => ({
      result: goals.map((goal) => pendingOf(view, goal, env.caller)),
    }))
    const pending = stands.filter((one) => one !== undefined)
    return pending.length === 0 ? {} : { pending }
  }

  async #beyondState(goal: Goal, waiting: Waiting): Promise<JsonObject | undefined> {
    if (goal.feed !== undefined) return this.#changeSince(goal, goal.feed.since, waiting)
    return goal.inbox === undefined ? undefined : this.#inInbox(waiting)
  }

  async #changeSince(goal: Goal, first: string, { env, since }: Waiting): Promise<JsonObject | undefined> {
    const page = await this.#deps.feed.read({ since: since.get(goal) ?? first, limit: 1 }, env.caller)
    const [change] = page.events
    if (change === undefined) {
      since.set(goal, page.cursor)
      return undefined
    }
    const { value: _, ...about } = change
    return about
  }

  async #inInbox({ env }: Waiting): Promise<JsonObject | undefined> {
    const { inbox } = this.#deps
    const count = await inbox.urgent(env.caller)
    if (count === 0) return undefined
    const listed = await inbox.list({ limit: MOST_ITEMS_NAMED, includeAcked: false, withReviews: true }, env)
    const items = listed.items.filter(({ urgency }) => urgency !== 'low')
    if (items.length === 0) return undefined
    return {
      count,
      items: items.map(({ id, kind, projectId, about: { name }, why }) => ({
        id,
        kind,
        name,
        projectId,
        why,
      })),
    }
  }

  /** An entity that is unknown here may still come, so the error names how to wait for it. */
  #withWayOn(error: unknown): unknown {
    if (!(error instanceof Fault) || error.kind !== 'not_found') return error
    const { message, next, data } = error
    const cursor = this.#deps.feed.cursor()
    return new Fault('not_found', message, {
      next: `${next}; if it is still to come, wait for ${JSON.stringify({ feed: { since: cursor } })} first`,
      data: { ...data, cursor },
    })
  }

  #noRoom(): Fault {
    return new Fault(
      'busy',
      `${this.#all.size} callers wait here already, which is all that this daemon takes`,
      {
        next: 'Try again in a moment, or put several conditions into one wait: {"any": [...]}',
      },
    )
  }

  #enter(waiting: Waiting): void {
    this.#all.add(waiting)
    for (const key of keysOf(waiting)) getOrAdd(this.#byKey, key, () => new Set()).add(waiting)
  }

  #forget(waiting: Waiting): void {
    this.#all.delete(waiting)
    this.#toWake.delete(waiting)
    for (const key of keysOf(waiting)) {
      const watchers = this.#byKey.get(key)
      watchers?.delete(waiting)
      if (watchers?.size === 0) this.#byKey.delete(key)
    }
  }
}

const keysOf = ({ goals }: Waiting): string[] => goals.flatMap(keysOfGoal)
