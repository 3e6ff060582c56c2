import type { Statement } from '../../src/domain/statements/statement.ts'
import { ProjectStatements } from '../../src/domain/views/project-statements.ts'
import { AheadClock } from './ahead-clock.ts'
import { checkAll, findDisagreement, findUnfinished, hasUnknownKeys, isConverged } from './checks.ts'
import { isHeldByOutsider } from './circles.ts'
import { clash, takeBackAgreed } from './clash.ts'
import { drawMishap, LostDisk } from './mishaps.ts'
import type { SimHub } from './sim-hub.ts'
import { type State, stateOf, textOf } from './state.ts'
import { World, type WorldOptions } from './world.ts'

export interface Outcome {
  readonly failures: readonly string[]
  readonly acknowledged: number
  readonly entities: number
  readonly events: number
  readonly requests: number
  readonly virtualSeconds: number
}

/** More than this happens only when daemons never stop telling each other the same. */
const EVENTS = 30_000

/** One whole story from one seed: trouble, healing, and what must be true in the end. */
export async function runSeed(options: WorldOptions): Promise<Outcome> {
  const world = new World(options)
  using _installed = world.install()
  const onUnhandled = (reason: unknown) =>
    world.fail(`unhandled rejection: ${String((reason as Error)?.stack ?? reason)}`)
  process.on('unhandledRejection', onUnhandled)
  let entities = 0
  try {
    await tell(world)
    entities = Math.max(...world.up.map(({ life }) => stateOf(life.store).size))
    for (const daemon of world.up) daemon.crash({ powerFails: false })
    await world.time.settle()
  } catch (error) {
    world.fail(`the simulation broke: ${String((error as Error)?.stack ?? error)}`)
  } finally {
    process.off('unhandledRejection', onUnhandled)
  }
  return {
    failures: world.failures,
    acknowledged: world.acknowledged.length,
    entities,
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
  const deadline = time.now + 600_000 + 40 * world.rules.repairEveryMillis
  // A plain peer is looked at now and then, and only after the breaker's pause when it was away.
  const plainAt = world.plain === undefined ? 0 : time.now + 120_000
  // A clock that was put right is looked at now and then.
  const rightAt = world.ahead === undefined ? 0 : time.now + 2 * world.rules.repairEveryMillis
  const underWay = Math.max(world.network.lastArrival, plainAt, rightAt)
  // A key that was replaced is noticed when its daemon is talked to, and a founder then confirms what it claims.
  const keysUntil = time.now + 20 * world.rules.repairEveryMillis
  const isUnderWay = () => time.now < underWay || (time.now < keysUntil && hasUnknownKeys(world))
  const converge = async () => {
    do await time.advance(4000)
    while ((isUnderWay() || !isConverged(world)) && time.now < deadline && time.events < EVENTS)
  }
  await converge()
  // What agents were shown last is written a little later, and has to get everywhere, too.
  await time.advance(world.rules.receiptEveryMillis)
  await converge()
  if (time.events >= EVENTS) return world.fail(`the daemons do not come to rest: ${findReason(world)}`)
  if (world.up.length < world.daemons.length) return world.fail('somebody does not come up again')
  const disagreement = findDisagreement(world)
  if (disagreement !== undefined) return world.fail(disagreement)
  const unfinished = findUnfinished(world)
  if (unfinished !== undefined) world.fail(unfinished)
  checkAll(world)
  await world.repeats.check()
  await checkQuiet(world)
  if (dice.chance(0.3)) await checkRestart(world)
}

const findReason = (world: World): string =>
  (world.up.length < world.daemons.length ? 'somebody is down' : undefined) ??
  findDisagreement(world) ??
  findUnfinished(world) ??
  'all is well'

/**
 * One that is restored from a backup does not know what it said again since. What others have of what was said ahead is
 * left until its time comes, and then only got by comparing.
 */
const mayGoAhead = ({ mode }: World, lostDisk: LostDisk | undefined): boolean =>
  lostDisk === undefined && mode !== 'push'

async function trouble(world: World): Promise<void> {
  const { dice, time } = world
  const steps = dice.between(15, 45)
  const mishaps = dice.pick([0, 0.1, 0.2, 0.35])
  const lostDisk = dice.chance(0.3) ? new LostDisk(world) : undefined
  const ahead = mayGoAhead(world, lostDisk) && dice.chance(0.4) ? new AheadClock(world) : undefined
  world.ahead = ahead
  const aheadAt = dice.between(0, steps - 2)
  const rightAt = dice.between(aheadAt + 1, steps - 1)
  const backUpAt = dice.between(1, steps - 2)
  const loseAt = dice.between(backUpAt + 1, steps - 1)
  for (let step = 0; step < steps; step++) {
    if (step === aheadAt) ahead?.goAhead()
    if (step === rightAt) ahead?.putRight()
    if (step === backUpAt) lostDisk?.backUp()
    if (step === loseAt) lostDisk?.lose()
    else if (dice.chance(mishaps)) drawMishap(world)
    else if (world.up.length > 0) world.operate(dice.pick(world.up))
    if (world.up.length > 0 && dice.chance(0.4)) world.look(dice.pick(world.up))
    if (dice.chance(0.15)) clash(world)
    // A content that comes back is got by comparing states.
    if (world.mode !== 'push' && dice.chance(0.1)) takeBackAgreed(world)
    if (dice.chance(0.3)) world.repeats.repeatOne()
    if (world.hostile !== undefined && world.up.length > 0 && dice.chance(0.2))
      world.hostile.attack(dice.pick(world.up))
    if (world.member !== undefined && world.up.length > 0 && dice.chance(0.3))
      world.member.attack(dice.pick(world.up), dice.pick(world.up))
    if (world.hub !== undefined) troubleOnHub(world, world.hub, mishaps)
    if (world.isFlooded && world.up.length > 0 && dice.chance(0.2))
      world.member?.floodEach(world.up, dice.pick(world.up))
    if (world.plain !== undefined && dice.chance(0.3)) world.plain.operate(world.newTag())
    await time.advance(dice.pick([0, 0, 1, 10, 100, 500, 2000, 8000]))
  }
}

function troubleOnHub({ dice, member, up }: World, hub: SimHub, mishaps: number): void {
  if (dice.chance(mishaps)) hub.mishap()
  if (member !== undefined && up.length > 0 && dice.chance(0.2)) hub.attack(member.liesAbout(dice.pick(up)))
}

/**
 * Daemons that agree have nothing more to tell each other: nothing is written any more. For some comparisons something
 * may still be on its way that is no part of what they agree about: what rests on the words of one that floods, and what
 * one hands on that still holds a project which it may not see any more, between members that nobody else connects.
 */
async function checkQuiet(world: World): Promise<void> {
  const seqs = () => world.daemons.map(({ life }) => life.store.health().seq).join(' ')
  let [before, after] = ['', seqs()]
  for (
    let rounds = world.isFlooded || isHeldByOutsider(world) ? 5 : 1;
    rounds > 0 && before !== after;
    rounds--
  ) {
    before = after
    await world.time.advance(2 * world.rules.repairEveryMillis + 3000)
    after = seqs()
  }
  if (after !== before) world.fail(`something still changes after all agreed: ${before} became ${after}`)
}

/**
 * What is there after the power failed everywhere at once is what was there before. A founder that starts may confirm
 * claims besides, of those whom it trusts by now. By that a revision may no longer be in force, so that a redaction of it
 * takes effect. And a content is found in the journal that a redaction took away everywhere which turned out later not to
 * count.
 */
async function checkRestart(world: World): Promise<void> {
  const states = () => world.daemons.map(({ life }) => stateOf(life.store))
  const before = states()
  for (const daemon of world.daemons) daemon.crash({ powerFails: true })
  for (const daemon of world.daemons) world.boot(daemon)
  await world.time.settle()
  // One whose disk had been full writes while it starts, and disks take their time.
  for (let waits = 0; waits < 50 && world.up.length < world.daemons.length; waits++)
    await world.time.advance(20)
  if (world.up.length < world.daemons.length) return world.fail('somebody does not come up again')
  const after = states()
  world.daemons.forEach(({ name, life }, index) => {
    const [then, now] = [before[index] ?? new Map(), after[index] ?? new Map()]
    const isConfirmedSince = (one: Statement) => one.kind === 'confirmation' && !then.has(one.id)
    const isTakenAway = (one: Statement) => {
      const said = life.store.view.projects.get(one.project_id)?.said
      return said instanceof ProjectStatements && said.isTakenAway(one)
    }
    const isBare = (state: State, { id }: Statement) => state.get(id)?.content_hash !== undefined
    const isFoundAgain = (one: Statement) => isBare(then, one) && !isTakenAway(one)
    const confirmedIn = new Set([...now.values()].filter(isConfirmedSince).map((one) => one.project_id))
    const isTakenByConfirming = (one: Statement) =>
      confirmedIn.has(one.project_id) && !isBare(then, one) && isBare(now, one) && isTakenAway(one)
    const isExpected = (one: Statement) =>
      isConfirmedSince(one) || isFoundAgain(one) || isTakenByConfirming(one)
    const texts = (state: State) =>
      Array.from(
        [...state.values()].filter((one) => !isExpected(one)),
        textOf,
      )
        .sort()
        .join('\n')
    if (texts(then) !== texts(now)) world.fail(`${name} is not the same after a power failure`)
  })
}
