import { expect, test } from 'vitest'
import { StoreDamagedError, StoreTooNewError, StoreTooOldError } from '../../../src/io/store/store-errors.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { peer, TestProject } from './entities.ts'
import { close, contentOf, DIRECTORY, keep, openOn } from './opened.ts'

const p = new TestProject('p')

const SNAPSHOT = `${DIRECTORY}/state.json`
const IDENT = `${DIRECTORY}/IDENT`

/** A store whose whole content is in the snapshot. */
async function compactedStore() {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk, { compactBytes: 1 })
  await keep(store, ...p.opening, p.contract('c1'), p.contract('c2'))
  await store.commit(() => ({ result: undefined, local: [{ table: 'peer', id: 'a', value: peer('a') }] }))
  await close(store)
  const { store: again } = await openOn(disk, { compactBytes: 1 })
  await close(again)
  return { disk, shown: contentOf(again.view), snapshot: disk.contentOf(SNAPSHOT) ?? Buffer.alloc(0) }
}

test('state.json is one JSON document with a line per statement', async () => {
  const { snapshot } = await compactedStore()
  const document = JSON.parse(snapshot.toString())
  expect(Object.keys(document)).toEqual([
    'format',
    'store_id',
    'epoch',
    'frame',
    'seq',
    'counts',
    'entities',
    'local',
    'checksum',
  ])
  expect(document).toMatchObject({ format: 2, seq: 4, counts: { entities: 4, local: 1 } })
  expect(
    snapshot
      .toString()
      .split('\n')
      .filter((line) => line.includes('"kind":"revision"')),
  ).toHaveLength(2)
})

test.each([
  ['empty', ''],
  ['null', 'null'],
  ['an empty list', '[]\n'],
  ['an empty object', '{}'],
  ['lowdb beginner content', '{\n  "entities": []\n}\n'],
])('a snapshot that is %s is never taken for an empty store', async (_, text) => {
  const { disk } = await compactedStore()
  disk.plant(SNAPSHOT, Buffer.from(text))
  await expectRefusal(disk)
  const problem = text === '' ? 'it is empty' : 'it does not begin like a snapshot'
  await expect(openOn(disk)).rejects.toThrow(`${SNAPSHOT} is damaged at byte 0: ${problem}.`)
})

test('damage is reported where it is, as far as one can tell', async () => {
  const { disk, snapshot } = await compactedStore()
  const text = snapshot.toString()
  const contractLine = text.lastIndexOf('\n', text.indexOf('"c2"')) + 1
  const lastLine = text.lastIndexOf('"checksum"')
  const reported = async (content: string) => {
    disk.plant(SNAPSHOT, Buffer.from(content))
    const { offset, message } = await openOn(disk).catch((error) => error)
    return { offset, message }
  }
  const changed = (at: number, by: string) => text.slice(0, at) + by + text.slice(at + by.length)

  expect(await reported(changed(contractLine, '['))).toEqual({
    offset: contractLine,
    message: expect.stringContaining('this line is not JSON'),
  })
  expect(await reported(changed(text.indexOf('"c2"') + 1, 'x'))).toEqual({
    offset: lastLine,
    message: expect.stringContaining('the damage is somewhere before'),
  })
  const entitiesEnd = text.indexOf('\n],') + 1
  expect(await reported(changed(entitiesEnd, '['))).toEqual({
    offset: entitiesEnd,
    message: expect.stringContaining('must stand here'),
  })
})

test('what to do next does not count on peers', async () => {
  const { disk } = await compactedStore()
  disk.lose(SNAPSHOT)
  await expect(openOn(disk)).rejects.toThrow(/Restore .* from a backup; or move it away .*if it has peers,/)
})

test('a missing snapshot beside IDENT is a refusal', async () => {
  const { disk } = await compactedStore()
  disk.lose(SNAPSHOT)
  await expectRefusal(disk)
})

test('a snapshot that is cut, flipped in any byte, or followed by something is a refusal', async () => {
  const { disk, snapshot } = await compactedStore()
  const damaged: Buffer[] = [' ', '\n', '{}\n'].map((more) => Buffer.concat([snapshot, Buffer.from(more)]))
  for (let offset = 0; offset < snapshot.length; offset++) {
    const flipped = Buffer.from(snapshot)
    flipped.writeUInt8(flipped.readUInt8(offset) ^ (1 << (offset % 8)), offset)
    damaged.push(flipped, snapshot.subarray(0, offset))
  }
  const opened: string[] = []
  for (const content of damaged) {
    disk.plant(SNAPSHOT, content)
    await openOn(disk).then(
      () => opened.push(content.toString()),
      (error: Error) => expect(error.message).toMatch('state.json'),
    )
  }
  expect(opened).toEqual([])
})

test('a newer format and the one before statements are refusals that say so', async () => {
  const { disk, snapshot } = await compactedStore()
  const ident = disk.contentOf(IDENT) ?? Buffer.alloc(0)
  disk.plant(SNAPSHOT, Buffer.from(snapshot.toString().replace('"format":2', '"format":3')))
  await expect(openOn(disk)).rejects.toThrow(StoreTooNewError)
  disk.plant(IDENT, Buffer.from('{"format":7,"store_id":"x","created":"y"}'))
  await expect(openOn(disk)).rejects.toThrow(/IDENT.*format 7.*newer/)
  for (const path of [SNAPSHOT, IDENT]) {
    disk.plant(SNAPSHOT, snapshot)
    const text = path === SNAPSHOT ? snapshot.toString() : '{"format":2,"store_id":"x","created":"y"}'
    disk.plant(IDENT, ident)
    disk.plant(path, Buffer.from(text.replace('"format":2', '"format":1')))
    await expect(openOn(disk)).rejects.toThrow(StoreTooOldError)
    await expect(openOn(disk)).rejects.toThrow(
      /has format 1, .*before the first release.*Nothing was changed\. Move the data directory away/,
    )
  }
})

test('a snapshot of another store, or a broken IDENT, is a refusal', async () => {
  const { disk } = await compactedStore()
  disk.plant(IDENT, Buffer.from('{"format":2,"store_id":"other","created":"y"}'))
  await expectRefusal(disk)
  disk.plant(IDENT, Buffer.from(''))
  await expectRefusal(disk)
})

test('without IDENT a directory with content is a refusal, one without any is a first start', async () => {
  const { disk } = await compactedStore()
  disk.lose(IDENT)
  await expectRefusal(disk)

  const journaled = new SimulatedDisk()
  const { store } = await openOn(journaled)
  await keep(store, ...p.opening)
  await close(store)
  journaled.lose(IDENT)
  await expectRefusal(journaled)

  const untouched = new SimulatedDisk()
  await close((await openOn(untouched)).store)
  untouched.lose(IDENT)
  const { store: fresh } = await openOn(untouched)
  expect(fresh.health().statements).toBe(0)
})

test('a lock is released when the store cannot be opened', async () => {
  const { disk, snapshot, shown } = await compactedStore()
  disk.plant(SNAPSHOT, Buffer.from('null'))
  await expectRefusal(disk)
  disk.plant(SNAPSHOT, snapshot)
  const { store } = await openOn(disk)
  expect(contentOf(store.view)).toEqual(shown)
})

async function expectRefusal(disk: SimulatedDisk): Promise<void> {
  const before = disk.files()
  await expect(openOn(disk)).rejects.toThrow(StoreDamagedError)
  expect(disk.files()).toEqual(before)
}
