import { hubRecord, hubRecordChange, rememberingPublished } from '../../../domain/hub/record.ts'
import { type HubTroubleKind, hubFault } from '../../../domain/hub/trouble.ts'
import { EARLIEST, type Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'
import type { Hub, HubConnection, HubStream, StoredMessage } from '../../ports/hub.ts'
import { sleep } from '../../timing/sleep.ts'
import { MayHave } from '../link/may-have.ts'
import type { Refusals } from '../link/refusals.ts'
import { SaveSoon } from '../link/save-soon.ts'
import { Alarm } from './alarm.ts'
import type { Comparing, ComparingOver } from './comparing.ts'
import type { HubClock } from './hub-clock.ts'
import { LastRegisters } from './last-registers.ts'
import { Offers } from './offers.ts'
import { type Found, type HubStates, Positions } from './positions.ts'
import { Publisher } from './publisher.ts'
import { HUB_SENDER, Reader } from './reader.ts'

export interface HubSessionDeps
  extends Pick<
    Parts,
    'self' | 'store' | 'view' | 'statements' | 'intake' | 'refusals' | 'timers' | 'random' | 'rules'
  > {
  readonly hub: Hub
  readonly connection: HubConnection
  readonly comparing: Comparing
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

/** One connection to the hub: reads what is new there, offers what is new here, and compares now and then. */
export class HubSession {
  readonly #deps: HubSessionDeps
  readonly #ended = new AbortController()
  readonly #positions: Positions
  readonly #alarm: Alarm
  readonly #moved: Alarm
  readonly #memory: SaveSoon
  readonly #reappeared: number[] = []
  #offers: Offers | undefined
  #states: HubStates | undefined
  #found: Found = 'same'
  #isCaughtUp = false
  #wasRefused = true

  constructor(deps: HubSessionDeps) {
    const { view, timers, rules } = deps
    this.#deps = deps
    this.#positions = new Positions(hubRecord(view))
    this.#alarm = new Alarm(timers)
    this.#moved = new Alarm(timers)
    this.#memory = new SaveSoon({ timers, everyMillis: rules.saveEveryMillis, save: () => this.#save() })
  }

  /** There is something new here. */
  wake(): void {
    this.#alarm.ring()
  }

  get isCaughtUp(): boolean {
    return this.#isCaughtUp
  }

  get unread(): number | null {
    return this.#states === undefined ? null : this.#positions.behind(this.#states)
  }

  get unoffered(): number | undefined {
    return this.#offers?.count
  }

  /** Until it fails, or `end` is called. */
  async run(): Promise<void> {
    const { connection } = this.#deps
    const over = connection.ended.then((fault) => Promise.reject(fault))
    // Whoever fails first ends all.
    over.catch(() => {})
    const tasks: Promise<void>[] = []
    try {
      const states = await this.#begin()
      tasks.push(...this.#work(states))
      await Promise.race([Promise.all(tasks), over, aborted(this.#ended.signal)])
    } finally {
      this.end()
      await connection[Symbol.asyncDispose]()
      await Promise.allSettled(tasks)
      await this.#memory.end()
    }
  }

  end(): void {
    this.#ended.abort()
    this.#alarm.ring()
    this.#moved.ring()
  }

  async #begin(): Promise<HubStates> {
    const { view, hub, comparing, connection, tell, takeBack } = this.#deps
    const states = await this.#ask()
    this.#found = await this.#positions.goOnWith(states, connection)
    const isAnew = this.#found === 'wiped'
    const isKnown = this.#found === 'same' || this.#found === 'gap'
    if (!isKnown) comparing.forget()
    if (isAnew) tell('wiped', 'The hub was wiped or restored from a backup, and gets again what it has lost')
    if (this.#found === 'gap') tell('gap', 'Messages were removed from the hub before this daemon read them')
    else takeBack('gap')
    const after = isKnown ? (hubRecord(view)?.offered_seq ?? 0) : 0
    this.#offers = new Offers({ ...this.#deps, scope: hub, after, isAnew })
    comparing.begin()
    return states
  }

  #work(states: HubStates): Promise<void>[] {
    const { hub, connection, comparing, store, view, self, startedAt, tell } = this.#deps
    const offers = this.#offers as Offers
    const lasts = new LastRegisters()
    const { signal } = this.#ended
    const common = { ...this.#deps, org: hub.org, offers, lasts, signal, positions: this.#positions }
    const reader = new Reader({
      ...common,
      onDigest: (message) => comparing.noteDigest(message),
      onDoubt: (projectId) => comparing.doubt(projectId),
      onReappeared: (sequence) => this.#reappeared.push(sequence),
      onOwnNews: (id, projectId) => {
        const { at } = view.projects.get(projectId)?.said.get(id) ?? { at: EARLIEST }
        if (at > startedAt) tell('twice', 'Somebody else says things on the hub with the key of this daemon')
      },
    })
    const given = {
      until: () => hubRecord(view)?.took_until ?? EARLIEST,
      remembering: rememberingPublished,
    }
    const publisher = new Publisher({
      ...common,
      reader,
      mayHave: new MayHave({ self, store, view, given }),
      onForbidden: ({ message }) => tell('permission', message),
      onRefused: ({ trouble, reason }, projectId) => {
        comparing.refused(projectId)
        tell(trouble, reason)
      },
    })
    const over = { connection, offers, reader, signal, reachEnd: () => this.#reachEnd() }
    return [this.#read(reader, states), this.#offer(offers, publisher), this.#compare(over)]
  }

  /** Facts first: registers speak under them. */
  async #read(reader: Reader, states: HubStates): Promise<void> {
    const upToEnd = async (stream: HubStream) => {
      const range = {
        after: this.#positions.of(stream),
        upTo: states[stream].last,
        signal: this.#ended.signal,
      }
      if (range.after < range.upTo) await reader.follow(stream, range, (last) => this.#passed(stream, last))
      if (!this.#ended.signal.aborted) this.#positions.moveTo(stream, states[stream].last)
    }
    const onwards = async (stream: HubStream) => {
      const range = { after: this.#positions.of(stream), signal: this.#ended.signal }
      await reader.follow(stream, range, (last) => this.#passed(stream, last))
      if (!this.#ended.signal.aborted) throw hubFault('away', 'The hub gives no more messages')
    }
    await upToEnd('facts')
    await Promise.all([
      onwards('facts'),
      upToEnd('registers').then(() => {
        this.#isCaughtUp = !this.#ended.signal.aborted
        this.#alarm.ring()
        return onwards('registers')
      }),
    ])
  }

  #passed(stream: HubStream, { sequence, at }: StoredMessage): void {
    this.#positions.moveTo(stream, sequence, at)
    this.#offers?.passed(stream, sequence)
    this.#memory.soon()
    this.#moved.ring()
    this.#alarm.ring()
  }

  async #offer(offers: Offers, publisher: Publisher): Promise<void> {
    const isBeginning = this.#found === 'new' || this.#found === 'wiped'
    while (!this.#ended.signal.aborted) {
      const { rings } = this.#alarm
      offers.scan()
      this.#takeBackRefused()
      // What a hub lacks that begins anew with us is known only when it was read.
      const mayOffer = this.#isCaughtUp || !isBeginning
      if (mayOffer) await this.#publishDue(offers, publisher)
      for (const sequence of this.#reappeared.splice(0)) await publisher.erase(sequence)
      if (this.#isCaughtUp) this.#deps.onWell()
      if (this.#isCaughtUp && offers.count === 0) this.#deps.takeBack('wiped')
      if (this.#alarm.rings === rings && !this.#ended.signal.aborted)
        await this.#alarm.wait(mayOffer ? offers.untilDue() : undefined)
    }
  }

  /** When the hub took all that it had not taken, also on an earlier connection. */
  #takeBackRefused(): void {
    const { refusedThere, takeBack } = this.#deps
    const isRefused = !refusedThere.isEmpty(HUB_SENDER)
    if (this.#wasRefused && !isRefused)
      for (const kind of ['permission', 'too_large'] as const) takeBack(kind)
    this.#wasRefused = isRefused
  }

  async #publishDue(offers: Offers, publisher: Publisher): Promise<void> {
    for (const [projectId, open] of offers.due()) {
      const hasOthers = open.some(({ isOwn }) => !isOwn)
      const mayPublishAll = !hasOthers || (await this.#reachEnd())
      await publisher.publish(mayPublishAll ? open : open.filter(({ isOwn }) => isOwn))
      // What is still open waits for its time, or for others.
      offers.postpone(projectId, this.#deps.rules.hub.graceMillis)
      this.#memory.soon()
    }
  }

  async #compare(over: ComparingOver): Promise<void> {
    const { comparing, timers, rules } = this.#deps
    const { signal } = this.#ended
    while (!signal.aborted) {
      await comparing.compareDue(over)
      // Comparing may have found something to offer.
      this.#alarm.ring()
      await sleep(
        timers,
        Math.min(comparing.untilDue() ?? rules.hub.quietMillis, rules.hub.quietMillis),
        signal,
      )
    }
  }

  /** Whether all was read that is there now. */
  async #reachEnd(): Promise<boolean> {
    if (!this.#isCaughtUp) return false
    const { timers, rules } = this.#deps
    const states = await this.#ask()
    const until = timers.millis() + rules.hub.graceMillis
    while (!this.#positions.haveReached(states)) {
      const left = Math.ceil(until - timers.millis())
      if (this.#ended.signal.aborted) return false
      if (left <= 0) return this.#hasNothingLeft(states)
      await this.#moved.wait(left)
    }
    return true
  }

  /** The last messages may have been erased before they were read. */
  async #hasNothingLeft(states: HubStates): Promise<boolean> {
    const { connection } = this.#deps
    for (const stream of ['facts', 'registers'] as const) {
      const range = { after: this.#positions.of(stream), upTo: states[stream].last }
      if (range.after >= range.upTo) continue
      for await (const messages of connection.read(stream, range, this.#ended.signal))
        if (messages.length > 0) return false
      this.#positions.moveTo(stream, range.upTo)
      this.#offers?.passed(stream, range.upTo)
    }
    return !this.#ended.signal.aborted
  }

  async #ask(): Promise<HubStates> {
    const { connection, hubClock } = this.#deps
    const facts = await connection.stateOf('facts')
    const registers = await connection.stateOf('registers')
    hubClock.note(registers.now ?? facts.now)
    this.#states = { facts, registers }
    return this.#states
  }

  async #save(): Promise<void> {
    await this.#deps.store.commit((now) => ({
      result: undefined,
      local: hubRecordChange(now, {
        ...this.#positions.state(),
        offered_seq: this.#offers?.offered ?? 0,
      }),
    }))
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
