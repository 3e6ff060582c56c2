import { subjectOf } from '../../src/domain/hub/subject.ts'
import { type Statement, textOf } from '../../src/domain/statements/statement.ts'
import type { Hub } from '../../src/engine/ports/hub.ts'
import { Fault } from '../../src/protocol/fault.ts'
import { stampOfMillis } from '../../src/protocol/stamp.ts'
import { type HubContents, SimulatedHub } from '../support/simulated/hub.ts'
import type { VirtualTime } from '../support/simulated/virtual-time.ts'
import type { Dice } from './dice.ts'
import { Forger } from './forger.ts'
import { START } from './names.ts'
import type { Edge } from './topology.ts'

const ORG = 'sim'

export interface SimHubDeps {
  readonly time: VirtualTime
  readonly dice: Dice
  readonly trace: (line: string) => void
}

/** The hub of a world, with everything that happens to one. */
export class SimHub {
  readonly hub: SimulatedHub
  /** Seconds that its clock is wrong by. */
  clockOffset = 0
  readonly #deps: SimHubDeps
  #backup: HubContents | undefined

  constructor(deps: SimHubDeps) {
    const { time, dice } = deps
    this.#deps = deps
    this.hub = new SimulatedHub({
      timers: time,
      now: () => stampOfMillis(START + time.now + this.clockOffset * 1000),
      random: dice.random,
      trace: deps.trace,
    })
    this.#setMood(dice.pick([1, 1, 30]))
  }

  /** As a daemon sees it for as long as its process lives. */
  for(name: string, isAlive: () => boolean): Hub {
    const hub = this.hub.for(name, { org: ORG })
    return {
      ...hub,
      open: async (signal) => {
        const connection = await hub.open(signal)
        if (isAlive()) return connection
        await connection[Symbol.asyncDispose]()
        throw new Fault('unavailable', 'gone')
      },
    }
  }

  /** Whatever can happen to a hub; most of it is over after a while. */
  mishap(): void {
    const what = this.#deps.dice.weighted(WEIGHTS)
    this.#deps.trace(`hub: ${what}`)
    this.#mishaps[what]()
  }

  readonly #mishaps: Record<keyof typeof WEIGHTS, () => void> = {
    wipe: () => this.hub.wipe(),
    backUp: () => {
      this.#backup = this.hub.contents
    },
    restore: () => {
      if (this.#backup !== undefined) this.hub.restore(this.#backup)
    },
    loseEnd: () => this.hub.loseEnd(this.#deps.dice.between(1, 8)),
    away: () => {
      this.hub.mood.away = 'away'
      this.hub.cut()
      this.#later(() => {
        this.hub.mood.away = undefined
      })
    },
    full: () => {
      this.hub.mood.refusesAll = 'full'
      this.#later(() => {
        this.hub.mood.refusesAll = undefined
      })
    },
    cut: () => this.hub.cut(),
    mood: () => this.#setMood(this.#deps.dice.pick([1, 30, 500, 3000])),
    clock: () => {
      this.clockOffset = this.#deps.dice.pick([-400, -60, 0, 60, 400])
    },
  }

  /** Somebody who may publish stores whatever he likes. */
  attack(lies: readonly Statement[]): void {
    const { dice } = this.#deps
    const own = lies.map((one) => ({ subject: subjectOf(ORG, one), id: one.id, text: textOf(one) }))
    const stored = [
      ...this.hub.contents.facts.messages.values(),
      ...this.hub.contents.registers.messages.values(),
    ]
    for (const one of own) this.hub.store(one)
    if (stored.length === 0) return
    for (let count = dice.between(0, 6); count > 0; count--) {
      const { subject, text, id } = dice.pick(stored)
      const other = dice.pick(stored)
      this.hub.store(
        dice.pick([
          // No statement, too large, of another place, altered, and once more.
          { subject, id: `garbage ${dice.random()}`, text: 'no statement' },
          { subject, id: `garbage ${dice.random()}`, text: '' },
          { subject, id: `garbage ${dice.random()}`, text: '{"digest":"0","count":1}' },
          { subject, id: `garbage ${dice.random()}`, text: other.text },
          { subject, id: `forged ${dice.random()}`, text: text.replace('"sig":"', '"sig":"A') },
          { subject, id: `again ${dice.random()}`, text },
          // In the place of what an honest daemon will say, as far as that can be guessed.
          { subject, id, text: 'no statement' },
        ]),
      )
    }
  }

  /** From now on it does what it should. */
  heal(clockOffset: number): void {
    const { mood } = this.hub
    mood.away = undefined
    mood.refusesAll = undefined
    this.clockOffset = clockOffset
    this.#setMood(1)
    mood.alter = undefined
  }

  #later(task: () => void): void {
    const { dice, time } = this.#deps
    time.after(dice.between(1000, 60_000), task)
  }

  #setMood(millis: number): void {
    const { dice } = this.#deps
    const { mood } = this.hub
    const repeats = dice.pick([0, 0, 0.2])
    const shuffles = dice.pick([0, 0.3])
    mood.delay = () => dice.random() * millis
    mood.isRepeating = () => dice.chance(repeats)
    mood.isShuffling = () => dice.chance(shuffles)
    mood.duplicateMillis = dice.pick([0, 5000, 120_000])
    const forger = dice.chance(0.15) ? new Forger(dice, { replaces: true }) : undefined
    mood.alter = forger && ((text) => (dice.chance(0.1) ? (forger.forgedOf(text) ?? text) : text))
  }
}

const WEIGHTS = {
  wipe: 1,
  backUp: 1.5,
  restore: 1.5,
  loseEnd: 1.5,
  away: 2,
  full: 1,
  cut: 2,
  mood: 2,
  clock: 0.7,
} as const

/** Who is on the hub, and which links are left: whoever is not on it has all of his. */
export function drawHubTopology(
  count: number,
  edges: readonly Edge[],
  dice: Dice,
): { on: Set<number>; edges: Edge[] } {
  const isMixed = dice.chance(0.5)
  const nodes = Array.from({ length: count }, (_, index) => index)
  const on = new Set(nodes.filter((node) => node < 2 || !isMixed || dice.chance(0.6)))
  const isLeft = ([a, b]: Edge) => !on.has(a) || !on.has(b) || (isMixed && dice.chance(0.3))
  return { on, edges: edges.filter(isLeft) }
}
