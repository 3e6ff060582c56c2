import type { SimDaemon } from './sim-daemon.ts'
import type { World } from './world.ts'

/**
 * The clock of at most one daemon of a world is so far ahead for a while that nobody takes what it says. Once it is put
 * right, while the daemon runs or between two starts, that is said again.
 */
export class AheadClock {
  readonly seconds: number
  readonly #world: World
  readonly #daemon: SimDaemon
  #isAhead = false

  constructor(world: World) {
    this.#world = world
    this.#daemon = world.dice.pick(world.daemons)
    this.seconds = world.dice.pick([700, 3600, 21_600])
  }

  isOf(daemon: SimDaemon): boolean {
    return daemon === this.#daemon
  }

  goAhead(): void {
    this.#isAhead = true
    this.#daemon.clockOffset = this.seconds
    this.#world.trace(`${this.#daemon.name}'s clock is ${this.seconds} s ahead`)
  }

  putRight(): void {
    if (!this.#isAhead) return
    const { time, dice, trace } = this.#world
    const daemon = this.#daemon
    this.#isAhead = false
    const isDown = daemon.isUp && dice.chance(0.5)
    if (isDown) daemon.crash({ powerFails: dice.chance(0.3) })
    daemon.clockOffset = 0
    trace(`${daemon.name}'s clock is put right${isDown ? ' while it is down' : ''}`)
    if (isDown) time.after(dice.between(0, 10_000), () => this.#world.boot(daemon))
  }
}
