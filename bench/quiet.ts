import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { hasToldAll, introduce, statementsOf, until } from './mesh.ts'
import { Wire } from './wire.ts'
import type { RunningDaemon } from './workshop.ts'

const DAEMONS = 4
const PROJECTS = 20
const CONTRACTS = 1000
/** Three times the interval at which each daemon compares itself with one of its peers. */
const SECONDS = 90

/** What daemons say to each other while nothing happens. Every pair is linked both ways, each link through a meter. */
export async function quiet({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin(`a quiet mesh of ${DAEMONS} daemons`)
  const directory = workshop.folder()
  const { bytesEach, statements } = await workshop.fill({
    directory,
    projects: PROJECTS,
    contracts: CONTRACTS,
  })
  const daemons: RunningDaemon[] = [await workshop.daemon(directory, { open: true })]
  for (let n = 2; n <= DAEMONS; n++)
    daemons.push(await workshop.daemon(workshop.folder(), { name: `quiet-${n}`, open: true }))
  using wires = new Wires()
  for (const from of daemons)
    for (const to of daemons) if (from !== to) await introduce(from, to, (await wires.to(to)).url)
  progress.step('waiting until all are equal')
  await until(
    'all are equal',
    async () => {
      const looks = daemons.map(
        async (one) => (await statementsOf(one)) >= statements && (await hasToldAll(one)),
      )
      return (await Promise.all(looks)).every((isReady) => isReady)
    },
    200,
  )
  await sleep(5000)

  const seconds = SECONDS / brevity
  const before = wires.bytes
  for (let passed = 0; passed < seconds; passed += 5) {
    progress.step(`${seconds - passed} s to go`)
    await sleep(Math.min(5, seconds - passed) * 1000)
  }
  const perMinute = (wires.bytes - before) / DAEMONS / (seconds / 60)
  await Promise.all(daemons.map((daemon) => daemon.stop()))

  const state = bytesEach * statements
  return [
    figure({
      name: 'a quiet mesh: bytes per daemon per minute ÷ its state',
      unit: 'bytes',
      ours: perMinute,
      comparedWith: { name: 'stored', value: state },
      ratio: perMinute / state,
      goal: null,
      notes: [
        `${DAEMONS} daemons, all linked with all, ${PROJECTS} projects, ${CONTRACTS} contracts, for ${seconds} s; TCP ` +
          'payload of all links both ways, with HTTP heads, divided by the daemons; each compares its digests ' +
          'with one peer every 30 s, and that is all they say',
      ],
    }),
  ]
}

class Wires implements Disposable {
  readonly #all: Wire[] = []

  async to({ port }: RunningDaemon): Promise<Wire> {
    const wire = await Wire.to(port)
    this.#all.push(wire)
    return wire
  }

  get bytes(): number {
    return this.#all.reduce((sum, wire) => sum + wire.bytes, 0)
  }

  [Symbol.dispose](): void {
    for (const wire of this.#all) wire[Symbol.dispose]()
  }
}
