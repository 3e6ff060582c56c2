import { type HubTroubleKind, hubFault } from '../../../src/domain/hub/trouble.ts'
import type {
  Hub,
  HubConnection,
  HubMessage,
  HubOutcome,
  HubRange,
  HubStream,
  HubStreamState,
  StoredMessage,
} from '../../../src/engine/ports/hub.ts'
import type { Timers } from '../../../src/engine/ports/ports.ts'
import { getOrAdd } from '../../../src/protocol/collections/get-or-add.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'

interface Kept extends StoredMessage {
  readonly id: string
}

interface Stream {
  readonly id: string
  readonly last: number
  /** By sequence number. */
  readonly messages: ReadonlyMap<number, Kept>
}

/** What a hub holds at one moment. Never changed in place, so that it is its own backup. */
export type HubContents = { readonly [Name in HubStream]: Stream }

export interface HubMood {
  /** Why it cannot be connected to, or does not go on. */
  away: HubTroubleKind | undefined
  /** Why it stores nothing. */
  refusesAll: HubTroubleKind | undefined
  /** Messages that it never takes. */
  refuses: (message: HubMessage) => string | undefined
  mayErase: boolean
  /** Milliseconds until a call is answered, or messages come. */
  delay: () => number
  /** Whether messages come that came before. */
  isRepeating: () => boolean
  /** Whether messages of different subjects overtake each other on their way to the hub. */
  isShuffling: () => boolean
  /** What it gives instead of what it holds. */
  alter: ((text: string) => string) | undefined
  /** How long it knows the ids of messages. */
  duplicateMillis: number
}

export interface SimulatedHubDeps {
  readonly timers: Timers
  now(): Stamp
  random(): number
  /** Told what happens. */
  trace?(line: string): void
}

const EMPTY = { last: 0, messages: new Map<number, Kept>() }

/** A hub in memory, with all that can happen to one. */
export class SimulatedHub {
  readonly mood: HubMood = {
    away: undefined,
    refusesAll: undefined,
    refuses: () => undefined,
    mayErase: true,
    delay: () => 1,
    isRepeating: () => false,
    isShuffling: () => false,
    alter: undefined,
    duplicateMillis: 120_000,
  }
  readonly #deps: SimulatedHubDeps
  readonly #connections = new Set<SimulatedConnection>()
  readonly #ids = new Map<string, { readonly at: number; readonly sequence: number }>()
  #made = 0
  contents: HubContents

  constructor(deps: SimulatedHubDeps) {
    this.#deps = deps
    this.contents = this.#anew()
  }

  /** As one daemon sees it. */
  for(name: string, { org = 'default', carriesMembers = false } = {}): Hub {
    return {
      org,
      carriesMembers,
      open: async (signal) => {
        await this.#pass()
        if (signal.aborted) throw hubFault('away', 'stopped')
        if (this.mood.away !== undefined) throw hubFault(this.mood.away, 'The hub does not answer')
        const connection = new SimulatedConnection(this, name, () => this.#pass())
        this.#connections.add(connection)
        return connection
      },
    }
  }

  /** Ends connections, all or those of one daemon. */
  cut(name?: string): void {
    for (const connection of this.#connections)
      if (name === undefined || connection.name === name)
        connection.end(hubFault('away', 'The connection broke'))
  }

  leave(connection: SimulatedConnection): void {
    this.#connections.delete(connection)
  }

  wipe(): void {
    this.#become(this.#anew())
  }

  /** As it was when these were its contents. */
  restore(contents: HubContents): void {
    this.#become(contents)
  }

  /** The last messages of both streams were not on its disk. */
  loseEnd(count: number): void {
    const cut = ({ id, last, messages }: Stream): Stream => {
      const left = Math.max(0, last - count)
      return { id, last: left, messages: new Map([...messages].filter(([sequence]) => sequence <= left)) }
    }
    this.#become({ facts: cut(this.contents.facts), registers: cut(this.contents.registers) })
  }

  /** The texts of all messages. */
  texts(stream: HubStream): string[] {
    return Array.from(this.contents[stream].messages.values(), ({ text }) => text)
  }

  stateOf(stream: HubStream): HubStreamState {
    const { id, last, messages } = this.contents[stream]
    const first = Math.min(last + 1, ...messages.keys())
    return { id, first, last, now: this.#deps.now() }
  }

  /** Stores it as whoever may publish does. */
  store({ subject, id, text, after }: HubMessage): HubOutcome {
    const { mood, contents } = this
    const reason = mood.refuses({ subject, id, text })
    if (reason !== undefined) return { status: 'refused', trouble: 'too_large', reason }
    const stream = subject.split('.').length === 6 ? 'registers' : 'facts'
    const { id: streamId, last, messages } = contents[stream]
    const now = this.#deps.timers.millis()
    const known = this.#ids.get(`${stream} ${id}`)
    if (after === undefined && known !== undefined && now - known.at < mood.duplicateMillis)
      return { status: 'known', sequence: known.sequence }
    const before = stream === 'registers' ? lastIn(messages, subject)?.sequence : undefined
    if (after !== undefined && after !== (before ?? 0)) return { status: 'overtaken' }
    const sequence = last + 1
    this.#deps.trace?.(`hub stores ${sequence} of the ${stream}: ${id}`)
    const kept = new Map(messages).set(sequence, { sequence, subject, text, id, at: this.#deps.now() })
    if (before !== undefined) kept.delete(before)
    this.contents = { ...contents, [stream]: { id: streamId, last: sequence, messages: kept } }
    this.#ids.set(`${stream} ${id}`, { at: now, sequence })
    for (const connection of this.#connections) connection.tell()
    return { status: 'stored', sequence }
  }

  erase(stream: HubStream, sequence: number): void {
    this.#deps.trace?.(`hub erases ${sequence} of the ${stream}`)
    const { [stream]: before } = this.contents
    const messages = new Map(before.messages)
    messages.delete(sequence)
    this.contents = { ...this.contents, [stream]: { ...before, messages } }
  }

  /** In an order that another hub would have got them in, too: those of one subject stay as they are. */
  shuffled(messages: readonly HubMessage[]): readonly HubMessage[] {
    if (!this.mood.isShuffling()) return messages
    const bySubject = new Map<string, HubMessage[]>()
    for (const one of messages) bySubject.set(one.subject, [...(bySubject.get(one.subject) ?? []), one])
    const drawn = messages.map((one) => ({ subject: one.subject, rank: this.#deps.random() }))
    drawn.sort((a, b) => a.rank - b.rank)
    return drawn.flatMap(({ subject }) => bySubject.get(subject)?.shift() ?? [])
  }

  get turn(): SimulatedHubDeps {
    return this.#deps
  }

  #become(contents: HubContents): void {
    this.contents = contents
    this.#ids.clear()
    for (const stream of ['facts', 'registers'] as const)
      for (const { id, sequence } of contents[stream].messages.values())
        this.#ids.set(`${stream} ${id}`, { at: this.#deps.timers.millis(), sequence })
    this.cut()
  }

  #anew(): HubContents {
    const id = `made ${++this.#made}`
    return { facts: { id, ...EMPTY }, registers: { id, ...EMPTY } }
  }

  #pass(): Promise<void> {
    return new Promise((resolve) => this.#deps.timers.after(this.mood.delay(), resolve))
  }
}

function lastIn(messages: ReadonlyMap<number, Kept>, subject: string): Kept | undefined {
  return [...messages.values()].findLast((one) => one.subject === subject)
}

/** Messages that are given at once at most. */
const MOST_AT_ONCE = 20

class SimulatedConnection implements HubConnection {
  readonly name: string
  readonly ended: Promise<Fault>
  readonly #hub: SimulatedHub
  readonly #pass: () => Promise<void>
  readonly #readers = new Set<() => void>()
  #end: (fault: Fault) => void = () => {}
  #fault: Fault | undefined

  constructor(hub: SimulatedHub, name: string, pass: () => Promise<void>) {
    this.#hub = hub
    this.name = name
    this.#pass = pass
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  end(fault: Fault): void {
    this.#fault ??= fault
    this.#hub.leave(this)
    this.#end(fault)
    this.tell()
  }

  /** There are new messages, or an end. */
  tell(): void {
    for (const wake of this.#readers) wake()
    this.#readers.clear()
  }

  async stateOf(stream: HubStream): Promise<HubStreamState> {
    return this.#call(() => this.#hub.stateOf(stream))
  }

  async publish(messages: readonly HubMessage[]): Promise<readonly HubOutcome[]> {
    const outcomes = await this.#call(() => {
      const { refusesAll } = this.#hub.mood
      if (refusesAll !== undefined) throw hubFault(refusesAll, 'The hub takes nothing')
      const stored = new Map(this.#hub.shuffled(messages).map((one) => [one, this.#hub.store(one)]))
      return messages.map((one) => stored.get(one) as HubOutcome)
    })
    // The answer takes its time, too, and may never come.
    await this.#pass()
    this.#check()
    return outcomes
  }

  async *read(
    stream: HubStream,
    { after, upTo = Number.POSITIVE_INFINITY, subject }: HubRange,
    signal: AbortSignal,
  ): AsyncIterable<readonly StoredMessage[]> {
    const wake = () => this.tell()
    signal.addEventListener('abort', wake)
    const isAsked = matcherOf(subject)
    let from = after
    for (;;) {
      if (!signal.aborted) await this.#pass()
      if (signal.aborted) break
      this.#check()
      const { messages, last } = this.#hub.contents[stream]
      const found: Kept[] = []
      for (const one of messages.values())
        if (one.sequence > from && one.sequence <= upTo && isAsked(one.subject))
          if (found.push(one) === MOST_AT_ONCE) break
      if (found.length > 0) {
        const given = found.slice(0, 1 + Math.floor(this.#hub.turn.random() * MOST_AT_ONCE))
        if (!this.#hub.mood.isRepeating()) from = given.at(-1)?.sequence ?? from
        yield given.map((one) => this.#given(one))
      } else if (last >= upTo || upTo !== Number.POSITIVE_INFINITY) break
      else await new Promise<void>((resolve) => this.#readers.add(resolve))
    }
    signal.removeEventListener('abort', wake)
  }

  async lastOf(subject: string): Promise<StoredMessage | undefined> {
    return this.#call(() => lastIn(this.#hub.contents.registers.messages, subject))
  }

  async erase(stream: HubStream, sequence: number): Promise<void> {
    await this.#call(() => {
      if (!this.#hub.mood.mayErase) throw hubFault('permission', 'This daemon may not erase on the hub')
      this.#hub.erase(stream, sequence)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end(new Fault('unavailable', 'left'))
  }

  #given({ id: _, ...message }: Kept): StoredMessage {
    const { alter = (text: string) => text } = this.#hub.mood
    return { ...message, text: alter(message.text) }
  }

  async #call<Result>(make: () => Result): Promise<Result> {
    await this.#pass()
    this.#check()
    return make()
  }

  #check(): void {
    if (this.#fault !== undefined) throw this.#fault
  }
}

/** Whether a pattern stands for a subject. Remembered for each, because a reader looks at all of them again and again. */
function matcherOf(pattern = ''): (subject: string) => boolean {
  if (pattern === '') return () => true
  const wanted = pattern.split('.')
  const known = new Map<string, boolean>()
  const isMeant = (subject: string): boolean => {
    const given = subject.split('.')
    return (
      wanted.length === given.length &&
      wanted.every((token, index) => token === '*' || token === given[index])
    )
  }
  return (subject) => getOrAdd(known, subject, () => isMeant(subject))
}
