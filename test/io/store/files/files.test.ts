import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { SimulatedDisk } from '../../../support/simulated/disk.ts'
import { TestProject } from '../entities.ts'
import { close, DIRECTORY, faultOf, keep, openOn } from '../opened.ts'

const p = new TestProject('p')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function* streamed(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

const filesOn = (disk: SimulatedDisk) => disk.paths().filter((path) => path.startsWith(`${DIRECTORY}/files/`))

test('a file is found by its hash, also after a power failure', async () => {
  const disk = new SimulatedDisk()
  const { store, files } = await openOn(disk)
  const empty = store.health().bytes
  const stored = await files.put(streamed('hello ', 'world'), 100)
  expect(stored).toEqual({ sha256: sha256('hello world'), size: 11 })
  expect(store.view.fileSize(stored.sha256)).toBe(11)
  expect(store.health().bytes).toBe(empty + 11)

  disk.crash()
  const { store: again, files: there } = await openOn(disk)
  expect(again.view.fileSize(stored.sha256)).toBe(11)
  expect(again.health().bytes).toBe(empty + 11)
  const opened = await there.open(stored.sha256)
  const slices: Uint8Array[] = []
  for await (const slice of opened?.bytes ?? []) slices.push(slice)
  expect([opened?.size, Buffer.concat(slices).toString()]).toEqual([11, 'hello world'])
})

test('an unknown name opens nothing, whatever it looks like', async () => {
  const { files } = await openOn(new SimulatedDisk())
  expect(await files.open(sha256('nobody'))).toBeUndefined()
  expect(await files.open('../IDENT')).toBeUndefined()
})

test('the same content is one file and counts once, however often and at once it comes', async () => {
  const disk = new SimulatedDisk()
  const { store, files } = await openOn(disk)
  const empty = store.health().bytes
  await Promise.all([1, 2, 3].map(() => files.put(streamed('same'), 100)))
  await files.put(streamed('sa', 'me'), 100)
  expect(filesOn(disk)).toEqual([`${DIRECTORY}/files/${sha256('same')}`])
  expect(store.health().bytes).toBe(empty + 4)
})

test('bytes of another hash than the expected one are refused and leave nothing behind', async () => {
  const disk = new SimulatedDisk()
  const { store, files } = await openOn(disk)
  const empty = store.health().bytes
  expect(await faultOf(files.put(streamed('other'), 100, sha256('same')))).toBe('unavailable')
  expect([filesOn(disk), store.health().bytes]).toEqual([[], empty])
  expect(await files.put(streamed('same'), 100, sha256('same'))).toMatchObject({ size: 4 })
})

test('too much, a full quota, a full disk or a sender that gives up leave nothing behind', async () => {
  const disk = new SimulatedDisk()
  const { store, files } = await openOn(disk, { quotaBytes: 2500 })
  await keep(store, ...p.opening)
  const before = store.health()
  const gaveUp = async function* () {
    yield Buffer.from('half')
    throw new Error('the sender is gone')
  }
  expect(await faultOf(files.put(streamed('12345', '67890'), 9))).toBe('too_large')
  expect(await faultOf(files.put(streamed('x'.repeat(2500)), 3000))).toBe('storage_full')
  await expect(files.put(gaveUp(), 100)).rejects.toThrow('the sender is gone')
  disk.freeBytes = 3
  expect(await faultOf(files.put(streamed('12345'), 100))).toBe('storage_full')
  disk.freeBytes = Number.POSITIVE_INFINITY
  disk.fail('sync')
  await expect(files.put(streamed('12345'), 100)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'This could not be written to the disk; nothing of this call was kept.',
  })
  expect(filesOn(disk)).toEqual([])
  expect(store.health()).toEqual(before)
})

test('files and statements share one quota', async () => {
  const { store, files } = await openOn(new SimulatedDisk(), { quotaBytes: 1500 })
  await files.put(streamed('x'.repeat(1000)), 1000)
  expect(await faultOf(keep(store, ...p.opening))).toBe('storage_full')
})

test('what an interrupted upload left is gone after the next start', async () => {
  const disk = new SimulatedDisk()
  const { store: empty } = await openOn(disk)
  await close(empty)
  disk.plant(`${DIRECTORY}/files/incoming-7.tmp`, Buffer.from('half'))
  const { store } = await openOn(disk)
  expect(filesOn(disk)).toEqual([])
  expect(store.health().bytes).toBe(empty.health().bytes)
})
