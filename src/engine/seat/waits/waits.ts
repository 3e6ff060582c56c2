import type { Change } from '../../../domain/change.ts'
import type { Env } from '../../../domain/env.ts'
import { pendingOf } from '../../../domain/inbox/pending.ts'
import { type Goal, goalsIn, reached, type Until } from '../../../domain/inbox/wait-goal.ts'
import { isShutOut } from '../../../domain/peers/refused-by-peer.ts'
import type { Feed, Inbox, WaitOptions } from '../../../methods/seat/service.ts'
import type { Waited } from '../../../methods/seat/wait.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { JsonObject } from '../../../protocol/json/json.ts'
import { keyNeeded } from '../../dispatch/access.ts'
import type { Parts } from '../../parts.ts'
import { createSlots } from '../inbox/slots.ts'
import { keysOfChange, keysOfGoal } from './wake-keys.ts'

export interface WaitDeps extends Pick<Parts, 'store' | 'timers' | 'clock' | 'pause'> {
  readonly feed: Feed
  readonly inbox: Pick<Inbox, 'urgent' | 'list' | 'watch'>
  /** How many callers may wait at the same time. */
  readonly atOnce: number
}

const MOST_ITEMS_NAMED = 5

/** After how many woken callers other work gets its turn. */
const SLICE = 20

/** Lets callers wait until the state is as they need it; a change wakes only the callers whom it may concern. */
export function createWaits({ store, feed, inbox, timers, clock, pause, atOnce }: WaitDeps) {
  const byKey = new Map<string, Set<Waiting>>()
  const all = new Set<Waiting>()
  const takeSlot = createSlots(atOnce)
  const toWake = new Set<Waiting>()
  let isWaking = false
  let isClosed = false

  return {
    until,

    /** To be called with changes that have become durable. */
    changed(changes: readonly Change[]): void {
      if (all.size === 0) return
      const { view } = store
      for (const change of changes)
        for (const { key, wakes } of keysOfChange(change, view))
          for (const waiting of byKey.get(key) ?? [])
            if (wakes === undefined || waiting.goals.some(wakes) || isShutOut(waiting.env.caller, view))
              wakeSoon(waiting)
    },

    /** Answers all waiting callers now, and later ones at once. */
    close(): void {
      isClosed = true
      for (const waiting of all) waiting.wake('over')
    },
  }

  /** Answers as soon as a goal is reached, possibly at once, and at the latest when the time is over. */
  async function until(wanted: Until, options: WaitOptions): Promise<Waited> {
    const { env } = options
    const leave = takeSlot(env.caller)
    if (leave === undefined)
      throw new Fault('busy', `${all.size} callers wait here already, which is all that this daemon takes`, {
        next: 'Try again in a moment, or put several conditions into one wait: {"any": [...]}',
      })
    const waiting = new Waiting(goalsIn(wanted), env)
    // Entered before the first check, so that no change is missed between the two.
    enter(waiting)
    const unwatch = waiting.goals.some((goal) => goal.inbox !== undefined)
      ? inbox.watch(env.caller, () => wakeSoon(waiting))
      : undefined
    try {
      return (await check(waiting)) ?? (await wait(waiting, options))
    } catch (error) {
      throw withWayOn(error)
    } finally {
      unwatch?.()
      forget(waiting)
      leave()
    }
  }

  function wakeSoon(waiting: Waiting): void {
    toWake.add(waiting)
    if (isWaking) return
    isWaking = true
    queueMicrotask(() => void wakeInSlices())
  }

  async function wakeInSlices(): Promise<void> {
    let count = 0
    for (const waiting of toWake) {
      toWake.delete(waiting)
      waiting.wake('changed')
      if (++count % SLICE === 0) await pause()
    }
    isWaking = false
  }

  async function wait(waiting: Waiting, { millis, gone }: WaitOptions): Promise<Waited> {
    const giveUp = () => waiting.wake('over')
    const signal = gone?.()
    const cancel = timers.after(millis, giveUp)
    signal?.addEventListener('abort', giveUp, { once: true })
    if (isClosed || signal?.aborted === true) giveUp()
    try {
      for (;;) {
        const isLast = (await waiting.next()) === 'over'
        const cursor = feed.cursor()
        const met = await check(waiting)
        if (met !== undefined) return met
        const stopping = isClosed ? { stopping: true as const } : {}
        if (isLast) return { met: false, timedOut: true, ...stopping, ...(await pendingFor(waiting)), cursor }
      }
    } finally {
      cancel()
      signal?.removeEventListener('abort', giveUp)
    }
  }

  /** Which of its goals is reached, in the durable state. */
  async function check(waiting: Waiting): Promise<Waited | undefined> {
    const { goals, env } = waiting
    const { caller } = env
    // Taken before the check, so that a caller that goes on from this cursor misses nothing.
    const cursor = feed.cursor()
    const inState = await store.commit((view) => {
      if (isShutOut(caller, view, clock.now())) throw keyNeeded('What is waited for')
      return { result: goals.map((goal) => reached(view, goal, caller)) }
    })
    for (const [index, goal] of goals.entries()) {
      const about = inState[index] ?? (await beyondState(goal, waiting))
      if (about !== undefined) return { met: true, condition: goal as JsonObject, about, cursor }
    }
    return undefined
  }

  /** What is still missing for each goal, in the durable state. */
  async function pendingFor({ goals, env }: Waiting): Promise<{ readonly pending?: readonly JsonObject[] }> {
    const stands = await store.commit((view) => ({
      result: goals.map((goal) => pendingOf(view, goal, env.caller)),
    }))
    const pending = stands.filter((one) => one !== undefined)
    return pending.length === 0 ? {} : { pending }
  }

  async function beyondState(goal: Goal, waiting: Waiting): Promise<JsonObject | undefined> {
    if (goal.feed !== undefined) return changeSince(goal, goal.feed.since, waiting)
    return goal.inbox === undefined ? undefined : inInbox(waiting)
  }

  async function changeSince(
    goal: Goal,
    first: string,
    { env, since }: Waiting,
  ): Promise<JsonObject | undefined> {
    const page = await feed.read({ since: since.get(goal) ?? first, limit: 1 }, env.caller)
    const [change] = page.events
    if (change === undefined) {
      since.set(goal, page.cursor)
      return undefined
    }
    const { value: _, ...about } = change
    return about
  }

  async function inInbox({ env }: Waiting): Promise<JsonObject | undefined> {
    const count = await inbox.urgent(env.caller)
    if (count === 0) return undefined
    const listed = await inbox.list({ limit: MOST_ITEMS_NAMED, includeAcked: false, withReviews: true }, env)
    const items = listed.items
      .filter(({ urgency }) => urgency !== 'low')
      .map(({ id, kind, projectId, about: { name }, why }) => ({ id, kind, name, projectId, why }))
    return items.length === 0 ? undefined : { count, items }
  }

  /** An entity that is unknown here may still come, so the error names how to wait for it. */
  function withWayOn(error: unknown): unknown {
    if (!(error instanceof Fault) || error.kind !== 'not_found') return error
    const { message, next, data } = error
    const cursor = feed.cursor()
    return new Fault('not_found', message, {
      next: `${next}; if it is still to come, wait for ${JSON.stringify({ feed: { since: cursor } })} first`,
      data: { ...data, cursor },
    })
  }

  function enter(waiting: Waiting): void {
    all.add(waiting)
    for (const key of keysOf(waiting)) getOrAdd(byKey, key, () => new Set()).add(waiting)
  }

  function forget(waiting: Waiting): void {
    all.delete(waiting)
    toWake.delete(waiting)
    for (const key of keysOf(waiting)) {
      const watchers = byKey.get(key)
      watchers?.delete(waiting)
      if (watchers?.size === 0) byKey.delete(key)
    }
  }
}

const keysOf = ({ goals }: Waiting): string[] => goals.flatMap(keysOfGoal)

/** Why a waiting caller checks its goals again: something changed, or its time is over and this is the last check. */
type Wake = 'changed' | 'over'

/** A caller that waits until one of its goals is reached. */
class Waiting {
  readonly goals: readonly Goal[]
  readonly env: Env
  /** By goal, the cursor up to which the feed was searched without success. */
  readonly since = new Map<Goal, string>()
  #pending: Wake | undefined
  #resume: ((wake: Wake) => void) | undefined

  constructor(goals: readonly Goal[], env: Env) {
    this.goals = goals
    this.env = env
  }

  wake(wake: Wake): void {
    const resume = this.#resume
    this.#resume = undefined
    if (resume !== undefined) resume(wake)
    // It is checking its goals right now and will do so once more. A last check stays a last check.
    else if (this.#pending !== 'over') this.#pending = wake
  }

  next(): Promise<Wake> {
    const pending = this.#pending
    this.#pending = undefined
    if (pending !== undefined) return Promise.resolve(pending)
    return new Promise((resolve) => {
      this.#resume = resolve
    })
  }
}
