import type { SimDaemon } from './sim-daemon.ts'
import type { World } from './world.ts'

type Mishap = (world: World, daemon: SimDaemon) => void

/** Everything bad that happens, in the middle of everything else. */
const MISHAPS = {
  crash(world, daemon) {
    const powerFails = world.dice.chance(0.6)
    world.trace(`${daemon.name} ${powerFails ? 'loses power' : 'is killed'}`)
    daemon.crash({ powerFails })
    world.time.after(world.dice.between(0, 40_000), () => world.boot(daemon))
  },

  stop(world, daemon) {
    world.trace(`${daemon.name} is stopped`)
    const { disk } = daemon
    daemon.stop().catch((error: unknown) => world.trace(`${daemon.name} stops with ${error}`))
    world.time.after(world.dice.between(3000, 20_000), () => {
      if (disk !== daemon.disk) return
      if (daemon.isUp) daemon.crash({ powerFails: false })
      world.boot(daemon)
    })
  },

  partition(world) {
    const { dice, network } = world
    const side = new Set(world.daemons.filter(() => dice.chance(0.5)))
    world.trace(`partition: ${[...side].map(({ name }) => name).join(' ')} against the rest`)
    for (const a of world.daemons)
      for (const b of world.daemons)
        if (side.has(a) !== side.has(b)) network.cut(`http://${a.name}`, `http://${b.name}`)
    world.time.after(dice.between(1000, 90_000), () => network.mend())
  },

  cut(world, daemon) {
    const { dice, network } = world
    const other = dice.pick(world.daemons)
    world.trace(`nothing arrives any more from ${daemon.name} at ${other.name}`)
    network.cut(`http://${daemon.name}`, `http://${other.name}`)
    world.time.after(dice.between(1000, 60_000), () => network.mend())
  },

  weather(world) {
    const { dice, network } = world
    network.weather = {
      lostRequest: dice.pick([0, 0.1, 0.3]),
      lostAnswer: dice.pick([0, 0.1, 0.3]),
      duplicate: dice.pick([0, 0.1, 0.3]),
      delay: dice.pick([5, 50, 500]),
      straggler: dice.pick([0, 0.05]),
    }
    world.trace(`weather: ${JSON.stringify(network.weather)}`)
  },

  clock(world, daemon) {
    // What is too far ahead is refused, and got by comparing states when its time has come.
    const near = [-60, -1, 0, 0, 1, 60, 200]
    const far = [-3600, -400, ...near, 400, 1500]
    if (world.ahead?.isOf(daemon)) return
    // Where somebody else's clock is as far ahead, it takes what it should not.
    daemon.clockOffset = world.dice.pick(world.mode === 'push' || world.ahead ? near : far)
    world.furthestOffset = Math.max(world.furthestOffset, daemon.clockOffset)
    world.trace(`${daemon.name}'s clock is off by ${daemon.clockOffset} s`)
  },

  rotation(world, daemon) {
    // The proof of the next key cannot be had again: what was said ahead of the time before it stays until that comes.
    if (world.ahead?.isOf(daemon)) return
    world.trace(`${daemon.name} replaces its key`)
    world.attempt(daemon, { method: 'cacp/identity/rotate', params: {}, tag: undefined })
  },

  slowDisk(world, daemon) {
    world.trace(`${daemon.name}'s disk hangs`)
    const release = daemon.disk.hold()
    world.time.after(world.dice.between(10, 8000), release)
  },

  fullDisk(world, daemon) {
    const { disk } = daemon
    disk.freeBytes = world.dice.between(0, 3000)
    world.trace(`${daemon.name}'s disk has ${disk.freeBytes} bytes left`)
    world.time.after(world.dice.between(1000, 15_000), () => {
      disk.freeBytes = Number.POSITIVE_INFINITY
    })
  },

  brokenDisk(world, daemon) {
    world.trace(`${daemon.name}'s disk fails to sync`)
    const { disk } = daemon
    disk.fail('sync')
    world.time.after(world.dice.between(1000, 10_000), () => {
      disk.mend()
      if (disk !== daemon.disk || !daemon.isUp) return
      daemon.crash({ powerFails: world.dice.chance(0.5) })
      world.boot(daemon)
    })
  },
} satisfies Record<string, Mishap>

const WEIGHTS: Record<keyof typeof MISHAPS, number> = {
  crash: 3,
  stop: 1,
  partition: 2,
  cut: 1,
  weather: 2,
  clock: 1,
  rotation: 1,
  slowDisk: 1.5,
  fullDisk: 0.7,
  brokenDisk: 0.3,
}

export function drawMishap(world: World): void {
  const { up, dice } = world
  if (up.length > 0) MISHAPS[dice.weighted(WEIGHTS)](world, dice.pick(up))
}

/** What happens to at most one disk of a world. */
export class LostDisk {
  readonly #world: World
  readonly #daemon: SimDaemon
  readonly #isWiped: boolean
  #backup: ReadonlyMap<string, Uint8Array> = new Map()

  constructor(world: World) {
    this.#world = world
    this.#daemon = world.dice.pick(world.daemons)
    // A cursor knows another store from the one that was there, but not an older state of the same.
    this.#isWiped = world.mode === 'push' || world.dice.chance(0.4)
    world.growsCircles = false
  }

  /** A copy of all files while the daemon goes on writing them. */
  backUp(): void {
    if (this.#isWiped) return
    this.#world.trace(`${this.#daemon.name} is backed up`)
    this.#backup = this.#daemon.disk.files()
  }

  lose(): void {
    const world = this.#world
    world.trace(`${this.#daemon.name} ${this.#isWiped ? 'is wiped' : 'is restored from its backup'}`)
    this.#daemon.crash({ powerFails: true })
    if (this.#isWiped && world.dice.chance(0.5)) {
      world.trace(`${this.#daemon.name} has another identity`)
      this.#daemon.loseIdentity()
    }
    world.replaceDisk(this.#daemon, this.#backup)
  }
}
