import { hubRecord, hubRecordChange, rememberingPublished } from '../../../domain/hub/record.ts'
import { type HubTroubleKind, hubFault } from '../../../domain/hub/trouble.ts'
import { EARLIEST, type Stamp } from '../../../protocol/stamp.ts'
import type { HubConnection, HubStream, StoredMessage } from '../../ports/hub.ts'
import { sleep, waitUntil } from '../../timing/wait-until.ts'
import { createMayHave } from '../link/may-have.ts'
import type { Refusals } from '../link/refusals.ts'
import { createSaveSoon } from '../link/save-soon.ts'
import { createAlarm } from './alarm.ts'
import type { Comparing, ComparingOver } from './comparing.ts'
import type { HubClock } from './hub-clock.ts'
import type { HubLaneDeps } from './lane.ts'
import { Offers } from './offers.ts'
import { type Found, type HubStates, Positions } from './positions.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { createLastRegisters, createReader, HUB_SENDER, type LastRegisters, type Reader } from './reader.ts'

interface HubSessionDeps extends HubLaneDeps {
  readonly connection: HubConnection
  readonly comparing: Comparing
  /** What the hub does not take. */
  readonly refusedThere: Refusals
  readonly hubClock: HubClock
  /** When this daemon started. */
  readonly startedAt: Stamp
  /** Told of what somebody should know, and that it is over. */
  tell(kind: HubTroubleKind, message: string): void
  takeBack(kind: HubTroubleKind): void
  /** All that was on the hub when this began is here, and what was to be published is there. */
  onWell(): void
}

/** What everybody has who works with one connection. */
export interface InSession extends HubSessionDeps {
  readonly signal: AbortSignal
  readonly offers: Offers
  readonly positions: Positions
  readonly lasts: LastRegisters
}

export type HubSession = ReturnType<typeof createHubSession>

/** One connection to the hub: reads what is new there, offers what is new here, and compares now and then. */
export function createHubSession(deps: HubSessionDeps) {
  const { hub, connection, comparing, refusedThere, hubClock, startedAt, tell, takeBack, onWell } = deps
  const { self, store, view, timers, rules } = deps
  const ended = new AbortController()
  const { signal } = ended
  const positions = new Positions(hubRecord(view))
  const alarm = createAlarm(timers)
  const moved = createAlarm(timers)
  const memory = createSaveSoon({ timers, everyMillis: rules.saveEveryMillis, save })
  const reappeared: number[] = []
  let offers: Offers | undefined
  let lastStates: HubStates | undefined
  let found: Found = 'same'
  let isCaughtUp = false
  let wasRefused = true

  return {
    /** There is something new here. */
    wake: alarm.ring,

    get isCaughtUp(): boolean {
      return isCaughtUp
    },

    get unread(): number | null {
      return lastStates === undefined ? null : positions.behind(lastStates)
    },

    get unoffered(): number | undefined {
      return offers?.count
    },

    /** Until it fails, or `end` is called. */
    async run(): Promise<void> {
      const over = connection.ended.then((fault) => Promise.reject(fault))
      // Whoever fails first ends all.
      over.catch(() => {})
      const tasks: Promise<void>[] = []
      try {
        tasks.push(...work(await begin()))
        await Promise.race([Promise.all(tasks), over, waitUntil(() => () => {}, signal)])
      } finally {
        end()
        await connection[Symbol.asyncDispose]()
        await Promise.allSettled(tasks)
        await memory.end()
      }
    },

    end,
  }

  function end(): void {
    ended.abort()
    alarm.ring()
    moved.ring()
  }

  async function begin(): Promise<HubStates> {
    const states = await ask()
    found = await positions.goOnWith(states, connection)
    const isAnew = found === 'wiped'
    const isKnown = found === 'same' || found === 'gap'
    if (!isKnown) comparing.forget()
    if (isAnew) tell('wiped', 'The hub was wiped or restored from a backup, and gets again what it has lost')
    if (found === 'gap') tell('gap', 'Messages were removed from the hub before this daemon read them')
    else takeBack('gap')
    const after = isKnown ? (hubRecord(view)?.offered_seq ?? 0) : 0
    offers = new Offers({ ...deps, scope: hub, after, isAnew })
    comparing.begin()
    return states
  }

  function work(states: HubStates): Promise<void>[] {
    const offering = offers as Offers
    const common = { ...deps, signal, offers: offering, positions, lasts: createLastRegisters() }
    const reader = createReader({
      ...common,
      onReappeared: (sequence) => reappeared.push(sequence),
      onOwnNews: (id, projectId) => {
        const { at } = view.projects.get(projectId)?.said.get(id) ?? { at: EARLIEST }
        if (at > startedAt) tell('twice', 'Somebody else says things on the hub with the key of this daemon')
      },
    })
    const given = {
      until: () => hubRecord(view)?.took_until ?? EARLIEST,
      remembering: rememberingPublished,
    }
    const mayHave = createMayHave({ self, store, view, given })
    const publisher = createPublisher({ ...common, reader, mayHave })
    const over = { connection, offers: offering, signal, reader, reachEnd }
    return [readAll(reader, states), offer(offering, publisher), compare(over)]
  }

  /** Facts first: registers speak under them. */
  async function readAll(reader: Reader, states: HubStates): Promise<void> {
    const upToEnd = async (stream: HubStream) => {
      const range = { after: positions.of(stream), upTo: states[stream].last, signal }
      if (range.after < range.upTo) await reader.follow(stream, range, (last) => passed(stream, last))
      if (!signal.aborted) positions.moveTo(stream, states[stream].last)
    }
    const onwards = async (stream: HubStream) => {
      const range = { after: positions.of(stream), signal }
      await reader.follow(stream, range, (last) => passed(stream, last))
      if (!signal.aborted) throw hubFault('away', 'The hub gives no more messages')
    }
    await upToEnd('facts')
    await Promise.all([
      onwards('facts'),
      upToEnd('registers').then(() => {
        isCaughtUp = !signal.aborted
        alarm.ring()
        return onwards('registers')
      }),
    ])
  }

  function passed(stream: HubStream, { sequence, at }: StoredMessage): void {
    positions.moveTo(stream, sequence, at)
    offers?.passed(stream, sequence)
    memory.soon()
    moved.ring()
    alarm.ring()
  }

  async function offer(offering: Offers, publisher: Publisher): Promise<void> {
    const isBeginning = found === 'new' || found === 'wiped'
    while (!signal.aborted) {
      const { rings } = alarm
      offering.scan()
      takeBackRefused()
      // What a hub lacks that begins anew with us is known only when it was read.
      const mayOffer = isCaughtUp || !isBeginning
      if (mayOffer) await publishDue(offering, publisher)
      for (const sequence of reappeared.splice(0)) await publisher.erase(sequence)
      if (isCaughtUp) onWell()
      if (isCaughtUp && offering.count === 0) takeBack('wiped')
      if (alarm.rings === rings && !signal.aborted)
        await alarm.wait(mayOffer ? offering.untilDue() : undefined)
    }
  }

  /** When the hub took all that it had not taken, also on an earlier connection. */
  function takeBackRefused(): void {
    const isRefused = !refusedThere.isEmpty(HUB_SENDER)
    if (wasRefused && !isRefused) for (const kind of ['permission', 'too_large'] as const) takeBack(kind)
    wasRefused = isRefused
  }

  async function publishDue(offering: Offers, publisher: Publisher): Promise<void> {
    for (const [projectId, open] of offering.due()) {
      const hasOthers = open.some(({ isOwn }) => !isOwn)
      const mayPublishAll = !hasOthers || (await reachEnd())
      await publisher.publish(mayPublishAll ? open : open.filter(({ isOwn }) => isOwn))
      // What is still open waits for its time, or for others.
      offering.postpone(projectId, rules.hub.graceMillis)
      memory.soon()
    }
  }

  async function compare(over: ComparingOver): Promise<void> {
    const { quietMillis } = rules.hub
    while (!signal.aborted) {
      await comparing.compareDue(over)
      // Comparing may have found something to offer.
      alarm.ring()
      await sleep(timers, Math.min(comparing.untilDue() ?? quietMillis, quietMillis), signal)
    }
  }

  /** Whether all was read that is there now. */
  async function reachEnd(): Promise<boolean> {
    if (!isCaughtUp) return false
    const states = await ask()
    const until = timers.millis() + rules.hub.graceMillis
    while (positions.behind(states) > 0) {
      const left = Math.ceil(until - timers.millis())
      if (signal.aborted) return false
      if (left <= 0) return hasNothingLeft(states)
      await moved.wait(left)
    }
    return true
  }

  /** The last messages may have been erased before they were read. */
  async function hasNothingLeft(states: HubStates): Promise<boolean> {
    for (const stream of ['facts', 'registers'] as const) {
      const range = { after: positions.of(stream), upTo: states[stream].last }
      if (range.after >= range.upTo) continue
      for await (const messages of connection.read(stream, range, signal))
        if (messages.length > 0) return false
      positions.moveTo(stream, range.upTo)
      offers?.passed(stream, range.upTo)
    }
    return !signal.aborted
  }

  async function ask(): Promise<HubStates> {
    const facts = await connection.stateOf('facts')
    const registers = await connection.stateOf('registers')
    hubClock.note(registers.now ?? facts.now)
    lastStates = { facts, registers }
    return lastStates
  }

  function save(): Promise<void> {
    const offered_seq = offers?.offered ?? 0
    return store.commit((now) => ({
      result: undefined,
      local: hubRecordChange(now, { ...positions.state(), offered_seq }),
    }))
  }
}
