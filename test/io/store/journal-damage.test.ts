import { expect, test } from 'vitest'
import type { Store } from '../../../src/engine/ports/ports.ts'
import { StoreDamagedError } from '../../../src/io/store/store-errors.ts'
import { canonicalText } from '../../../src/protocol/json/canonical.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { TestProject } from './entities.ts'
import { close, contentOf, DIRECTORY, keep, openOn } from './opened.ts'

const p = new TestProject('p')

const JOURNAL = `${DIRECTORY}/journal.1`
const FRAMES = 4
const LATER = `${DIRECTORY}/journal.2`
const shownBy = (store: Store) => canonicalText(contentOf(store.view))

/** A store of four frames, and what it showed after each. */
async function storeOfFourFrames() {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  const shown = [shownBy(store)]
  for (let number = 1; number <= FRAMES; number++) {
    await keep(store, new TestProject(`p${number} 00000000 00000000 {"frame":9,`).founding)
    shown.push(shownBy(store))
  }
  await close(store)
  const journal = disk.contentOf(JOURNAL) ?? Buffer.alloc(0)
  const lastFrameAt = journal.lastIndexOf('\n', journal.length - 2) + 1
  return { files: disk.files(), journal, lastFrameAt, shown }
}

const made = await storeOfFourFrames()

/** The same store with another journal in its place. */
function withJournal(journal: Buffer | undefined, epoch = 1): SimulatedDisk {
  const disk = new SimulatedDisk()
  for (const [path, content] of made.files) disk.plant(path, content)
  if (journal === undefined) disk.lose(`${DIRECTORY}/journal.${epoch}`)
  else disk.plant(`${DIRECTORY}/journal.${epoch}`, journal)
  return disk
}

test('wherever the last frame is cut short, the ones before it are there and the rest is set aside', async () => {
  for (let cut = made.lastFrameAt; cut < made.journal.length; cut++) {
    const disk = withJournal(made.journal.subarray(0, cut))
    const { store } = await openOn(disk)
    expect(shownBy(store)).toBe(made.shown[FRAMES - 1])
    const hasRest = cut > made.lastFrameAt
    expect(store.health()).toMatchObject({ recovered: hasRest, status: 'healthy' })
    expect(disk.contentOf(JOURNAL)).toEqual(made.journal.subarray(0, made.lastFrameAt))
    const rest = hasRest ? made.journal.subarray(made.lastFrameAt, cut) : undefined
    expect(disk.contentOf(`${DIRECTORY}/journal.damaged-1`)).toEqual(rest)
  }
})

test('after a cut the journal goes on, also through further damage', async () => {
  const disk = withJournal(made.journal.subarray(0, -5))
  const { store } = await openOn(disk)
  await keep(store, ...new TestProject('next').opening)
  const shown = shownBy(store)
  await keep(store, ...new TestProject('torn').opening)
  await close(store)
  disk.plant(JOURNAL, (disk.contentOf(JOURNAL) ?? Buffer.alloc(0)).subarray(0, -1))

  const { store: again } = await openOn(disk)
  expect(shownBy(again)).toBe(shown)
  expect(disk.paths()).toContain(`${DIRECTORY}/journal.damaged-2`)
})

test('a flipped bit anywhere is either a damaged last frame or a refusal that touches nothing', async () => {
  const surprises: string[] = []
  for (let offset = 0; offset < made.journal.length; offset++) {
    for (const bit of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const journal = Buffer.from(made.journal)
      journal.writeUInt8(journal.readUInt8(offset) ^ (1 << bit), offset)
      const outcome = await outcomeOf(withJournal(journal))
      const expected = offset < made.lastFrameAt ? 'refused, untouched' : 'recovered all but the last frame'
      if (outcome !== expected) surprises.push(`bit ${bit} of byte ${offset}: ${outcome}`)
    }
  }
  expect(surprises).toEqual([])
})

test('frames that are missing, exchanged or repeated are noticed', async () => {
  const frames = made.journal.toString().split(/(?<=\n)/)
  const [first = '', second = '', third = '', fourth = ''] = frames
  for (const order of [
    [second, third, fourth],
    [first, third, fourth],
    [first, second, fourth, fourth],
    [first, third, second, fourth],
    [first, first, second, third, fourth],
  ]) {
    await expectRefusal(withJournal(Buffer.from(order.join(''))))
  }
})

test('the journal of another store does not fit, although its frames have the same numbers', async () => {
  const other = await storeOfFourFrames()
  await expectRefusal(withJournal(other.journal))
})

test('zeros or noise behind the last frame are set aside', async () => {
  for (const tail of [Buffer.alloc(5000), Buffer.from('\n'), Buffer.from('noise\nnoise\n')]) {
    const { store } = await openOn(withJournal(Buffer.concat([made.journal, tail])))
    expect(store.health().recovered).toBe(true)
    expect(shownBy(store)).toBe(made.shown[FRAMES])
  }
})

test('a missing journal is a refusal, and so is one of another epoch in its place', async () => {
  await expectRefusal(withJournal(undefined))
  const gap = withJournal(made.journal, 3)
  await expectRefusal(gap)
  const exchanged = withJournal(made.journal, 2)
  await expectRefusal(exchanged)
})

test('an empty later journal, left by a crash, does not hide a torn frame before it', async () => {
  const disk = withJournal(made.journal.subarray(0, -3))
  disk.plant(`${DIRECTORY}/journal.2`, Buffer.alloc(0))
  const { store } = await openOn(disk)
  expect(store.health().recovered).toBe(true)
  await keep(store, ...new TestProject('next').opening)
  const shown = shownBy(store)
  await close(store)
  for (let start = 0; start < 2; start++) {
    const { store: again } = await openOn(disk)
    expect(shownBy(again)).toBe(shown)
    expect(again.health().recovered).toBe(false)
    await close(again)
  }
})

test('an emptied journal, or one without its first frame, is a refusal and never an empty store', async () => {
  const openingBytes = made.journal.indexOf('\n') + 1
  for (let cut = 0; cut < openingBytes; cut++) await expectRefusal(withJournal(made.journal.subarray(0, cut)))
  await expectRefusal(withJournal(Buffer.alloc(made.journal.length)))
  await expectRefusal(withJournal(made.journal.subarray(openingBytes)))
  const fresh = new SimulatedDisk()
  await close((await openOn(fresh)).store)
  fresh.plant(JOURNAL, Buffer.alloc(0))
  await expect(openOn(fresh)).rejects.toThrow(/journal\.1 .*byte 0: it is empty.*Nothing was changed/)
})

test('the journal of a compacted store cannot be emptied either, nor one in the middle', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk, { compactBytes: 1 })
  await keep(store, ...p.opening)
  await close(store)
  const last = disk.paths().findLast((path) => /journal\.\d+$/.test(path)) ?? ''
  expect(last).not.toBe(JOURNAL)
  disk.plant(last, Buffer.alloc(0))
  await expectRefusal(disk)

  const middle = withJournal(Buffer.alloc(0), 2)
  middle.plant(`${DIRECTORY}/journal.3`, Buffer.alloc(0))
  await expectRefusal(middle)
})

test('a later journal that a crash kept from beginning is taken away, and the one before it goes on', async () => {
  for (const begun of [Buffer.alloc(0), Buffer.from('0000001a 12'), Buffer.alloc(40)]) {
    const disk = withJournal(begun, 2)
    const { store } = await openOn(disk)
    expect(store.health().recovered).toBe(begun.length > 0)
    expect(disk.contentOf(LATER)).toBeUndefined()
    const aside = begun.length > 0 ? begun : undefined
    expect(disk.contentOf(`${DIRECTORY}/journal.damaged-1`)).toEqual(aside)
    await keep(store, ...new TestProject('next').opening)
    const shown = shownBy(store)
    disk.crash()
    expect(shownBy((await openOn(disk)).store)).toBe(shown)
  }
})

test('a torn frame that a later journal goes on from is a refusal', async () => {
  const disk = withJournal(made.journal.subarray(0, -3))
  disk.plant(`${DIRECTORY}/journal.2`, Buffer.from('anything'))
  await expectRefusal(disk)
})

async function expectRefusal(disk: SimulatedDisk): Promise<void> {
  await expect(openOn(disk)).rejects.toThrow(/journal\.\d.* byte \d+.*Nothing was changed/)
  expect(await outcomeOf(disk)).toBe('refused, untouched')
}

/** In words; cheaper than matchers, because it is asked for every bit. */
async function outcomeOf(disk: SimulatedDisk): Promise<string> {
  const before = disk.files()
  try {
    const { store } = await openOn(disk)
    if (!store.health().recovered) return 'opened as if nothing were wrong'
    return shownBy(store) === made.shown[FRAMES - 1]
      ? 'recovered all but the last frame'
      : 'recovered something else'
  } catch (error) {
    if (!(error instanceof StoreDamagedError)) throw error
    const after = disk.files()
    const isSame =
      after.size === before.size && [...before].every(([path, bytes]) => after.get(path)?.equals(bytes))
    return isSame ? 'refused, untouched' : 'refused, but touched'
  }
}
