import { checkAll, findDifference, findUnfinished, isConverged } from './checks.ts'
import { drawMishap, LostDisk } from './mishaps.ts'
import { stateOf, textOf } from './state.ts'
import { World, type WorldOptions } from './world.ts'

export interface Outcome {
  readonly failures: readonly string[]
  readonly acknowledged: number
  readonly entities: number
  readonly events: number
  readonly requests: number
  readonly virtualSeconds: number
}

/** Looked at so often, and so many times, while everybody catches up. */
const LOOK_MILLIS = 10_000
const LOOKS = 240

/** One whole story from one seed: trouble, healing, and what must be true in the end. */
export async function runSeed(options: WorldOptions): Promise<Outcome> {
  const world = new World(options)
  using _installed = world.time.install()
  const onUnhandled = (reason: unknown) =>
    world.fail(`unhandled rejection: ${String((reason as Error)?.stack ?? reason)}`)
  process.on('unhandledRejection', onUnhandled)
  try {
    await tell(world)
  } catch (error) {
    world.fail(`the simulation broke: ${String((error as Error)?.stack ?? error)}`)
  } finally {
    process.off('unhandledRejection', onUnhandled)
  }
  return {
    failures: world.failures,
    acknowledged: world.acknowledged.length,
    entities: world.up[0] === undefined ? 0 : stateOf(world.up[0].life.store).size,
    events: world.time.events,
    requests: world.network.requests,
    virtualSeconds: world.time.now / 1000,
  }
}

async function tell(world: World): Promise<void> {
  const { dice, time } = world
  world.trace(
    `${world.daemons.length} daemons in a ${world.shape}: ${world.edges.map((edge) => edge.join('-')).join(' ')}`,
  )
  await world.open()
  await trouble(world)
  world.heal()
  for (let look = 0; look < LOOKS && !(await settled(world)); look++);
  if (world.up.length < world.daemons.length) return world.fail('somebody does not come up again')
  const difference = findDifference(world)
  if (difference !== undefined) return world.fail(difference)
  const unfinished = world.mode === 'digest' ? undefined : findUnfinished(world)
  if (unfinished !== undefined) world.fail(unfinished)
  checkAll(world)
  await checkQuiet(world)
  if (dice.chance(0.3)) await checkRestart(world)
  for (const daemon of world.daemons) daemon.crash({ powerFails: false })
  await time.settle()
}

async function settled(world: World): Promise<boolean> {
  await world.time.advance(LOOK_MILLIS)
  return isConverged(world)
}

async function trouble(world: World): Promise<void> {
  const { dice, time } = world
  const steps = dice.between(15, 45)
  const mishaps = dice.pick([0, 0.1, 0.2, 0.35])
  const lostDisk = dice.chance(0.3) ? new LostDisk(world) : undefined
  const backUpAt = dice.between(1, steps - 2)
  const loseAt = dice.between(backUpAt + 1, steps - 1)
  for (let step = 0; step < steps; step++) {
    if (step === backUpAt) lostDisk?.backUp()
    if (step === loseAt) lostDisk?.lose()
    else if (dice.chance(mishaps)) drawMishap(world)
    else if (world.up.length > 0) world.operate(dice.pick(world.up))
    await time.advance(dice.pick([0, 0, 1, 10, 100, 500, 2000, 8000]))
  }
}

/** Daemons that agree have nothing more to tell each other: nothing is written any more. */
async function checkQuiet(world: World): Promise<void> {
  const seqs = () => world.daemons.map(({ life }) => life.store.health().seq).join(' ')
  const before = seqs()
  await world.time.advance(70_000)
  if (seqs() !== before) world.fail(`something still changes after all agreed: ${before} became ${seqs()}`)
}

/** What is there after the power failed everywhere at once is what was there before. */
async function checkRestart(world: World): Promise<void> {
  const texts = () =>
    world.daemons.map(({ life }) => Array.from(stateOf(life.store).values(), textOf).sort().join('\n'))
  const before = texts()
  for (const daemon of world.daemons) daemon.crash({ powerFails: true })
  for (const daemon of world.daemons) world.boot(daemon)
  await world.time.settle()
  if (world.up.length < world.daemons.length) return world.fail('somebody does not come up again')
  const after = texts()
  world.daemons.forEach(({ name }, index) => {
    if (before[index] !== after[index]) world.fail(`${name} is not the same after a power failure`)
  })
}
