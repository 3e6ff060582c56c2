import { expect, test } from 'vitest'
import type { Store } from '../../../../src/engine/ports/ports.ts'
import { LIMITS } from '../../../../src/protocol/limits.ts'
import { SimulatedDisk, seededRandom } from '../../../support/simulated/disk.ts'
import { answer, stampAt, stoppedClock, TestProject } from '../entities.ts'
import { close, contentOf, contractsIn, DIRECTORY, faultOf, keep, openOn } from '../opened.ts'

const p = new TestProject('p')

const journalsOn = (disk: SimulatedDisk) => disk.paths().filter((path) => /journal\.\d+$/.test(path))

const idsIn = (store: Store) => contractsIn(store, p.id)

let newest = 0

/** A project with one contract, of which the repo describes itself again and again. */
async function fill(store: Store, count: number): Promise<void> {
  await keep(store, ...p.opening)
  const write = (number: number) =>
    keep(store, number === 0 ? p.contract('c0') : p.describe('service', ++newest))
  await Promise.all(Array.from({ length: count }, (_, number) => write(number)))
}

test('under load the journal moves into the snapshot again and again, and nothing is lost', async () => {
  const disk = new SimulatedDisk(seededRandom(1))
  const { store } = await openOn(disk, { compactBytes: 20_000 })
  for (let round = 0; round < 20; round++) await fill(store, 100)
  const shown = contentOf(store.view)
  await close(store)
  const [journal = ''] = journalsOn(disk)
  expect(journalsOn(disk)).toHaveLength(1)
  expect(Number(journal.split('.').at(-1))).toBeGreaterThan(5)
  expect(disk.contentOf(journal)?.length).toBeLessThan(200_000)

  const { store: again } = await openOn(disk)
  expect(contentOf(again.view)).toEqual(shown)
  expect(again.health()).toMatchObject({ seq: 3 + 20 * 99, statements: 4 })
})

test.each(['kill', 'crash'] as const)(
  'a %s at any operation of a compaction leaves everything in place, over several starts',
  async (end) => {
    for (let operations = 0; operations < 25; operations++) {
      for (const seed of [1, 2, 3, 4]) {
        const disk = new SimulatedDisk(seededRandom(seed))
        const { store } = await openOn(disk, { compactBytes: 1000 })
        await fill(store, 1)
        disk.operationsUntilPowerFailure = disk.operations + operations
        const isRefused = (await faultOf(keep(store, p.contract('last')))) !== undefined
        await close(store).catch(() => {})
        disk[end]()
        const expected = isRefused ? ['c0'] : ['c0', 'last']
        for (const start of ['s1', 's2', 's3']) {
          const { store: again } = await openOn(disk)
          expect(idsIn(again)).toEqual(expect.arrayContaining(expected))
          await keep(again, p.contract(start))
          expected.push(start)
          disk.crash()
        }
      }
    }
  },
)

test("what an earlier attempt left behind is in nobody's way", async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk, { compactBytes: 1 })
  disk.plant(`${DIRECTORY}/journal.2`, Buffer.alloc(0))
  disk.plant(`${DIRECTORY}/state.json.tmp`, Buffer.from('half'))
  await fill(store, 1)
  await close(store)
  expect(journalsOn(disk)).not.toContain(`${DIRECTORY}/journal.1`)

  disk.plant(`${DIRECTORY}/state.json.tmp`, Buffer.from('half'))
  const { store: again } = await openOn(disk)
  expect(idsIn(again)).toEqual(['c0'])
  expect(disk.paths()).not.toContain(`${DIRECTORY}/state.json.tmp`)
})

test('a snapshot that finds no room is given up; the journals still tell everything', async () => {
  const disk = new SimulatedDisk()
  const warnings: string[] = []
  const log = { info() {}, error() {}, warn: (_: object, message: string) => warnings.push(message) }
  const { store } = await openOn(disk, { compactBytes: 3000, log })
  await fill(store, 1)
  for (let number = 0; warnings.length === 0; number++) {
    disk.freeBytes = 1000 // enough for a frame, if no snapshot has eaten it
    await keep(store, p.contract(`d${number}`)).catch(() => {})
  }
  expect(disk.paths().filter((path) => path.endsWith('.tmp'))).toEqual([])
  const shown = contentOf(store.view)
  disk.crash()
  const { store: again } = await openOn(disk)
  expect(contentOf(again.view)).toEqual(shown)
  expect(journalsOn(disk)).toHaveLength(2)
})

test.each([
  ['written', 'append', /state\.json\.tmp$/],
  ['synced', 'sync', /state\.json\.tmp$/],
  ['put in place', 'rename', /state\.json$/],
  ['kept under its name', 'syncDirectory', /./],
] as const)(
  'a snapshot that cannot be %s costs nothing, and is made anew later',
  async (_, operation, path) => {
    const disk = new SimulatedDisk()
    const warnings: string[] = []
    const log = { info() {}, error() {}, warn: (_: object, message: string) => warnings.push(message) }
    const { store } = await openOn(disk, { compactBytes: 3000, log })
    disk.fail(operation, path)
    await fill(store, 10)
    await expect.poll(() => warnings).toEqual(['store not compacted; it will be tried again later'])
    expect(store.health().status).toBe('healthy')
    disk.mend()
    await fill(store, 30)
    const shown = contentOf(store.view)
    await close(store)
    expect(journalsOn(disk)).toHaveLength(1)
    disk.crash()
    const { store: again } = await openOn(disk)
    expect(contentOf(again.view)).toEqual(shown)
  },
)

test('at whatever byte a new journal finds no room, the old one goes on, also when it is torn later', async () => {
  const made = new SimulatedDisk()
  const { store } = await openOn(made)
  await fill(store, 10)
  await close(store)
  for (let budget = 0; budget < 40; budget++) {
    const disk = new SimulatedDisk()
    for (const [path, content] of made.files()) disk.plant(path, content)
    disk.freeBytes = budget
    let hasGivenUp = false
    const log = {
      info() {},
      error() {},
      warn(_: object, message: string) {
        hasGivenUp ||= /not compacted/.test(message)
      },
    }
    const { store: again } = await openOn(disk, { compactBytes: 3000, log })
    while (!hasGivenUp) await new Promise(setImmediate)
    disk.freeBytes = Number.POSITIVE_INFINITY
    await keep(again, p.contract('kept'))
    disk.freeBytes = 30
    disk.fail('truncate')
    expect(await faultOf(keep(again, p.contract('torn')))).toBe('outcome_unknown')
    disk.mend()
    disk.kill()
    const { store: last } = await openOn(disk)
    expect(last.health().recovered).toBe(true)
    expect(idsIn(last)).toContain('kept')
  }
})

test('what a full disk took of a frame is gone for good before a new journal follows', async () => {
  for (let seed = 1; seed <= 120; seed++) {
    const disk = new SimulatedDisk(seededRandom(seed))
    const { store } = await openOn(disk, { compactBytes: 3000 })
    await fill(store, 2)
    const large = (id: string, length: number) =>
      keep(store, p.contract(id, { content: { text: 'x'.repeat(length) } }))
    disk.freeBytes = 5000
    const release = disk.hold()
    const written = large('kept', 3000)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    const refused = large('refused', 6000)
    release()
    await written
    await expect(refused).rejects.toMatchObject({ kind: 'storage_full' })
    disk.freeBytes = Number.POSITIVE_INFINITY
    disk.operationsUntilPowerFailure = disk.operations + (seed % 12)
    while (disk.isPowered) await new Promise(setImmediate)
    disk.crash()
    const { store: again } = await openOn(disk)
    expect(idsIn(again)).toContain('kept')
  }
})

test('a close writes a snapshot only when replaying the journal would take long', async () => {
  const disk = new SimulatedDisk(seededRandom(1))
  const { store } = await openOn(disk)
  await fill(store, 10)
  await close(store)
  expect(journalsOn(disk)).toEqual([`${DIRECTORY}/journal.1`])

  const { store: again } = await openOn(disk)
  const content = { text: 'x'.repeat(200_000) }
  for (let number = 0; number < 6; number++) await keep(again, p.contract(`d${number}`, { content }))
  await close(again)
  expect(journalsOn(disk)).toEqual([`${DIRECTORY}/journal.2`])
  expect(disk.contentOf(`${DIRECTORY}/journal.2`)?.toString()).toMatch(
    /^\w{8} \w{8} \{"frame":\d+,"entries":\[\]\}\n$/,
  )
})

test('expired answers are not carried into a snapshot', async () => {
  const disk = new SimulatedDisk()
  const clock = stoppedClock()
  const { store } = await openOn(disk, { clock, compactBytes: 1 })
  const answered = (key: string, second: number) =>
    store.commit(() => ({
      result: undefined,
      local: [{ table: 'answer', id: key, value: answer(key, second) }],
    }))
  await answered('old', 0)
  clock.second = LIMITS.idempotencySeconds + 60
  expect(clock.now() > stampAt(0)).toBe(true)
  await answered('new', clock.second)
  await keep(store, ...p.opening)
  await close(store)
  const snapshot = disk.contentOf(`${DIRECTORY}/state.json`)?.toString() ?? ''
  expect(snapshot).toContain('"new"')
  expect(snapshot).not.toContain('"old"')
})
