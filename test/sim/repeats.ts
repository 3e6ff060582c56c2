import { hasLostContent, type Statement } from '../../src/domain/statements/statement.ts'
import { Fault } from '../../src/protocol/fault.ts'
import { LIE } from './hostile-member.ts'
import type { Operation } from './operations.ts'
import type { SimDaemon } from './sim-daemon.ts'
import { stateOf, textOf } from './state.ts'
import type { World } from './world.ts'

/** A call with a key, which whoever made it repeats whenever he likes, above all when nobody answered. */
interface Repeatable {
  readonly daemon: SimDaemon
  /** Another disk knows nothing of the key. */
  readonly disk: SimDaemon['disk']
  readonly operation: Operation
  /** What it leaves behind bears this mark, once. */
  readonly mark: string
  answer: string | undefined
}

/** About the daemon and not about the call: it may well be refused although it was answered before. */
const DAEMON_IN_TROUBLE = new Set(['storage_full', 'outcome_unknown', 'unavailable'])

/** Calls that are made again under the same key: whatever happens between, they act once and get one answer. */
export class Repeats {
  readonly #world: World
  readonly #calls: Repeatable[] = []

  constructor(world: World) {
    this.#world = world
  }

  begin(daemon: SimDaemon, { tag: mark, operation }: { tag: string; operation: Operation }): void {
    const params = { ...operation.params, idempotencyKey: mark }
    const one = { daemon, disk: daemon.disk, operation: { ...operation, params }, mark, answer: undefined }
    this.#calls.push(one)
    void this.#call(one)
  }

  repeatOne(): void {
    const possible = this.#possible()
    if (possible.length > 0) void this.#call(this.#world.dice.pick(possible))
  }

  /** To be called when all agree: repeats once more what was answered, and looks for what was done twice. */
  async check(): Promise<void> {
    const { daemons, time, isFlooded } = this.#world
    // Where somebody floods, what others said may still arrive.
    const written = () =>
      daemons.map((one) => (isFlooded ? wordsOf(one) : one.life.store.health().seq)).join('\n')
    const before = written()
    for (const one of this.#possible()) if (one.answer !== undefined) void this.#call(one)
    await time.advance(100)
    if (written() !== before) this.#world.fail('a call acted that was answered before')
    const states = new Map(daemons.map((daemon) => [daemon, [...stateOf(daemon.life.store).values()]]))
    for (const one of this.#calls) this.#checkTimes(one, (daemon) => states.get(daemon) ?? [])
  }

  #checkTimes(
    { daemon, disk, operation, mark, answer }: Repeatable,
    saidAt: (daemon: SimDaemon) => readonly Statement[],
  ): void {
    const timesAt = (one: SimDaemon) => timesFound(saidAt(one), mark)
    const times = Math.max(...this.#world.daemons.map(timesAt))
    if (times > 1) this.#world.fail(`${operation.method} ${mark} acted ${times} times under one key`)
    const isKept = answer !== undefined && operation.tag !== undefined && daemon.disk === disk
    if (isKept && timesAt(daemon) === 0 && !isTakenAway(saidAt(daemon), answer))
      this.#world.fail(`${operation.method} ${mark} was answered ${answer} and left nothing behind`)
  }

  /** What is said again has other ids, which whoever repeats a call is told. */
  #without(answer: string): string {
    return this.#world.renewals.size === 0 ? answer : answer.replace(IDS, 'id')
  }

  #possible(): Repeatable[] {
    return this.#calls.filter(({ daemon, disk }) => daemon.isUp && daemon.disk === disk)
  }

  async #call(one: Repeatable): Promise<void> {
    const { daemon, operation, mark } = one
    const world = this.#world
    try {
      const answer = JSON.stringify(await world.call(daemon, operation))
      if (one.answer !== undefined && this.#without(one.answer) !== this.#without(answer))
        world.fail(`${operation.method} ${mark} was answered ${one.answer}, and then ${answer}`)
      one.answer = answer
    } catch (error) {
      const { message, kind } = Fault.from(error)
      world.trace(`${daemon.name} ${mark} refused: ${message}`)
      if (one.answer !== undefined && !DAEMON_IN_TROUBLE.has(kind))
        world.fail(`${operation.method} ${mark} was answered ${one.answer}, and then refused: ${message}`)
    }
  }
}

const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/g

/** Whether a content was taken away of what the answer is about: the mark may have been in it. */
function isTakenAway(statements: Iterable<Statement>, answer: string): boolean {
  for (const one of statements) if (hasLostContent(one) && answer.includes(one.about)) return true
  return false
}

/**
 * How many times something of one kind was said with the mark: one call says several things, such as what it founds and
 * what it names. Nobody counts who repeats it to lie.
 */
function timesFound(statements: Iterable<Statement>, mark: string): number {
  const times = new Map<string, number>()
  for (const statement of statements) {
    const text = textOf(statement)
    if (!text.includes(markedBy(statement, mark)) || text.includes(LIE)) continue
    times.set(statement.kind, 1 + (times.get(statement.kind) ?? 0))
  }
  return Math.max(0, ...times.values())
}

/** A later version may repeat the words of an earlier one, but not its note; who completes repeats what was planned. */
function markedBy({ kind, body }: Statement, mark: string): string {
  if (kind === 'revision' && body['version'] !== 1) return `"note":"${mark}"`
  if (kind === 'work' && body['status'] === 'complete') return `"notes":"${mark}"`
  return `"${mark}"`
}

/** All that a daemon itself has said. */
const wordsOf = ({ identity, life }: SimDaemon): string =>
  [...stateOf(life.store).values()]
    .flatMap(({ key, id }) => (key === identity.keyId ? [id] : []))
    .sort()
    .join(' ')
