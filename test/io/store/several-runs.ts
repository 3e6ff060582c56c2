import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { View } from '../../../src/domain/view.ts'
import type { Store } from '../../../src/engine/ports/ports.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import type { Random, SimulatedDisk } from '../../support/simulated/disk.ts'
import { TestProject } from './entities.ts'
import { DIRECTORY, openOn } from './opened.ts'

const LIVES = 4
const WRITERS = 4
const COMMITS_PER_WRITER = 5

const p = new TestProject('p')

/** A commit that opens a contract, and says of the repo that it was the last to describe it; half of it must never be seen. */
interface Attempt {
  readonly number: number
}

/**
 * Lets a store live several times on one disk, with writers, compactions, full disks, kills and power
 * failures as chance has it. Throws as soon as a promise is broken: an acknowledged commit is there for
 * ever, one that was refused never shows up, and one whose outcome is unknown is there as a whole or not at all.
 */
export async function runSeveralTimes(disk: SimulatedDisk, random: Random): Promise<void> {
  let certain: Attempt[] = []
  let unknown: Attempt[] = []
  let number = 0
  for (let life = 1; life <= LIVES; life++) {
    if (life < LIVES) disk.operationsUntilPowerFailure = disk.operations + Math.floor(random() * 120)
    if (random() < 0.2) disk.freeBytes = Math.floor(random() * 500)
    const store = await openIfPossible(disk)
    if (store !== undefined) {
      certain = settle(store, certain, unknown)
      unknown = []
      const attempts = await write(store, disk, random, () => ++number)
      certain.push(...attempts.acknowledged)
      unknown = attempts.unknown
    }
    if (random() < 0.3) disk.kill()
    else disk.crash()
  }
  const { store } = await openOn(disk)
  settle(store, certain, unknown)
}

/** Not when the power fails, nor for the first time on a full disk; but else in any case. */
async function openIfPossible(disk: SimulatedDisk): Promise<Store | undefined> {
  const isFirst = disk.contentOf(`${DIRECTORY}/IDENT`) === undefined
  try {
    return (await openOn(disk, { compactBytes: 1500 })).store
  } catch (error) {
    const isFull = error instanceof Error && /is full/.test(error.message)
    if (disk.isPowered && !(isFirst && isFull)) throw error
    return undefined
  }
}

/** Finds out how many of the unknown commits are there, and throws when no number explains what the store shows. */
function settle(store: Store, certain: readonly Attempt[], unknown: readonly Attempt[]): Attempt[] {
  const shown = lastWriters(store.view)
  for (let count = 0; count <= unknown.length; count++) {
    const kept = [...certain, ...unknown.slice(0, count)]
    if (shown !== expectedWriters(kept)) continue
    const seq = kept.length === 0 ? 0 : 2 + 2 * kept.length
    if (store.health().seq !== seq) throw new Error(`seq is ${store.health().seq}, not ${seq}`)
    return kept
  }
  throw new Error(`acknowledged ${expectedWriters(certain)}\n${unknown.length} unknown\nshown ${shown}`)
}

async function write(store: Store, disk: SimulatedDisk, random: Random, nextNumber: () => number) {
  const acknowledged: Attempt[] = []
  const unknown: Attempt[] = []
  const writeOne = async () => {
    if (random() < 0.1) disk.freeBytes = Math.floor(random() * 2000)
    else if (random() < 0.3) disk.freeBytes = Number.POSITIVE_INFINITY
    const attempt = { number: nextNumber() }
    try {
      await store.commit((view) => ({ result: undefined, takes: saidBy(attempt, view) }))
      acknowledged.push(attempt)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (error.kind === 'outcome_unknown') unknown.push(attempt)
      else if (error.kind !== 'storage_full' && error.kind !== 'unavailable') throw error
    }
  }
  const writer = async () => {
    for (let count = 0; count < COMMITS_PER_WRITER; count++) await writeOne()
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  const inOrder = (attempts: Attempt[]) => attempts.toSorted((a, b) => a.number - b.number)
  return { acknowledged: inOrder(acknowledged), unknown: inOrder(unknown) }
}

function saidBy({ number }: Attempt, view: View): Statement[] {
  made[number] ??= [p.contract(String(number), { second: number }), p.describe(String(number), number)]
  return [...(view.projects.get(p.id) === undefined ? p.opening : []), ...made[number]]
}

/** By number: signing takes longer than all that the store does with it. */
const made: Statement[][] = []

function lastWriters(view: View): string {
  const shown = view.projects.get(p.id)
  const contracts = [...(shown?.contracts.oldestFirst() ?? [])].map(({ name }) => Number(name))
  const [repo] = [...(shown?.repos.oldestFirst() ?? [])]
  return asText(contracts, repo?.role)
}

const expectedWriters = (attempts: readonly Attempt[]): string =>
  asText(
    attempts.map(({ number }) => number),
    attempts.at(-1)?.number,
  )

const asText = (contracts: readonly number[], described: string | number | undefined) =>
  `${contracts.toSorted((a, b) => a - b)} described by ${described}`
