import { expect, test } from 'vitest'
import { Fault } from '../../../src/protocol/fault.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { VirtualTime } from '../../support/simulated/virtual-time.ts'
import { TestProject } from './entities.ts'
import { close, contentOf, contractsIn, DIRECTORY, faultOf, keep, look, openOn } from './opened.ts'

const p = new TestProject('p')

async function storeWithProject() {
  const disk = new SimulatedDisk()
  const { store, files } = await openOn(disk)
  await keep(store, ...p.opening)
  return { disk, store, files }
}

const JOURNAL = `${DIRECTORY}/journal.1`
const FULL = { kind: 'storage_full' }
const DISK_IS_FULL = {
  message: 'The disk of the data directory is full: nothing is written, reading goes on',
  next: 'Free some space on it; writing resumes by itself',
}

test('at whatever byte the disk is full, a commit is kept as a whole or not at all, and writing resumes', async () => {
  for (let budget = 0; budget < 1400; budget += 7) {
    const { disk, store } = await storeWithProject()
    disk.freeBytes = budget
    const refused: (string | undefined)[] = []
    for (const id of ['c1', 'c2']) refused.push(await faultOf(keep(store, p.contract(id))))
    const kept = ['c1', 'c2'].filter((_, index) => refused[index] === undefined)
    expect(refused.filter((kind) => kind !== undefined && kind !== 'storage_full')).toEqual([])
    expect(contractsIn(store, p.id).sort()).toEqual(kept)
    const status = kept.length === 2 ? 'healthy' : 'degraded'
    expect(store.health()).toMatchObject({ status, seq: 2 + kept.length })

    disk.freeBytes = Number.POSITIVE_INFINITY
    await keep(store, p.contract('c3'))
    expect(store.health().status).toBe('healthy')
    const shown = contentOf(store.view)
    disk.crash()
    const { store: again } = await openOn(disk)
    expect(contentOf(again.view)).toEqual(shown)
    expect(again.health()).toMatchObject({ recovered: false, seq: 3 + kept.length })
  }
})

test('all that is pending fails together and is undone; those who have only seen it look again', async () => {
  const { disk, store } = await storeWithProject()
  const before = { shown: contentOf(store.view), health: store.health() }
  disk.freeBytes = 100
  const release = disk.hold()
  const first = keep(store, p.contract('c1'))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  const second = keep(store, p.revise(p.contract('c1')), p.contract('c2'))
  const read = look(store, (view) => view.projects.get(p.id)?.contracts.size)
  expect(store.view.projects.get(p.id)?.contracts.size).toBe(2)
  release()
  await Promise.all([first, second].map((one) => expect(one).rejects.toMatchObject(FULL)))
  expect(await read).toBe(0)
  disk.freeBytes = Number.POSITIVE_INFINITY
  expect(contentOf(store.view)).toEqual(before.shown)
  expect(store.health()).toEqual({ ...before.health, status: 'degraded', problem: DISK_IS_FULL })
  expect(await look(store, (view) => view.projects.size)).toBe(1)

  await keep(store, p.contract('c3'))
  await close(store)
  const { store: again } = await openOn(disk)
  expect(contractsIn(again, p.id)).toEqual(['c3'])
})

test('after a failed sync the outcome is unknown, reads go on, and writes wait for a restart', async () => {
  const { disk, store } = await storeWithProject()
  const before = contentOf(store.view)
  disk.fail('sync')
  const commit = keep(store, p.contract('c1'))
  await expect(commit).rejects.toMatchObject({
    kind: 'outcome_unknown',
    next: expect.stringMatching('idempotency key'),
  })
  expect(store.health()).toMatchObject({ status: 'degraded', problem: { needsRestart: true } })
  expect(contentOf(store.view)).toEqual(before)
  disk.mend()
  expect(await faultOf(keep(store, p.contract('c2')))).toBe('unavailable')
  expect(await look(store, (view) => view.projects.size)).toBe(1)
  await close(store)

  const { store: again } = await openOn(disk)
  expect(again.health().status).toBe('healthy')
  expect(contractsIn(again, p.id)).toEqual(['c1'])
  await keep(again, p.contract('c2'))
})

test('a read goes on while a write that it has seen fails to sync, and hears what is refused on what is left', async () => {
  const { disk, store } = await storeWithProject()
  disk.fail('sync')
  const write = keep(store, p.contract('c1'))
  const read = look(store, (view) => view.projects.get(p.id)?.contracts.size)
  const refused = look(store, (view) => {
    if (view.projects.get(p.id)?.contracts.get(p.contract('c1').about) === undefined)
      throw new Fault('not_found', 'No c1')
  })
  await expect(write).rejects.toMatchObject({ kind: 'outcome_unknown' })
  expect(await read).toBe(0)
  expect(await faultOf(refused)).toBe('not_found')
})

test('what found its change made already makes it itself when that is taken back', async () => {
  const { disk, store } = await storeWithProject()
  disk.freeBytes = 0
  const first = keep(store, p.contract('c1'))
  const second = store.commit((view) => {
    if (view.projects.get(p.id)?.contracts.get(p.contract('c1').about) !== undefined)
      return { result: 'there already' }
    disk.freeBytes = Number.POSITIVE_INFINITY
    return { result: 'made', takes: [p.contract('c1')] }
  })
  await expect(first).rejects.toMatchObject(FULL)
  expect(await second).toBe('made')
})

test('a full disk whose journal cannot be cut back takes no more writes', async () => {
  const { disk, store } = await storeWithProject()
  disk.freeBytes = 50
  disk.fail('truncate')
  expect(await faultOf(keep(store, p.contract('c1')))).toBe('outcome_unknown')
  expect(store.health().status).toBe('degraded')
  await close(store)
  disk.mend()
  const { store: again } = await openOn(Object.assign(disk, { freeBytes: 1e9 }))
  expect(again.health()).toMatchObject({ recovered: true, statements: 2 })
})

test('a sound store opens on a full disk, can be read, and is written again when there is room', async () => {
  const { disk, store } = await storeWithProject()
  await close(store)
  disk.freeBytes = 0
  const { store: again } = await openOn(disk, { compactBytes: 1 })
  expect(again.health()).toMatchObject({ status: 'degraded', problem: DISK_IS_FULL, recovered: false })
  expect(await look(again, (view) => view.projects.size)).toBe(1)
  await expect(keep(again, p.contract('c1'))).rejects.toMatchObject(FULL)
  disk.freeBytes = Number.POSITIVE_INFINITY
  await keep(again, p.contract('c1'))
})

test('a torn frame is cut only when there is room for a copy; until then the store can be read', async () => {
  const { disk, store } = await storeWithProject()
  await keep(store, p.contract('torn'))
  await close(store)
  const whole = disk.contentOf(JOURNAL) ?? Buffer.alloc(0)
  for (let budget = 0; budget < 300; budget += 20) {
    const cut = whole.subarray(0, -3)
    disk.plant(JOURNAL, cut)
    disk.lose(`${DIRECTORY}/journal.damaged-1`)
    disk.freeBytes = budget
    const { store: again } = await openOn(disk)
    expect(again.health()).toMatchObject({ status: 'degraded', recovered: true, statements: 2 })
    expect(await look(again, (view) => view.projects.size)).toBe(1)
    await expect(keep(again, p.contract('c1'))).rejects.toMatchObject(FULL)
    expect(disk.contentOf(JOURNAL)).toEqual(cut)
    expect(disk.contentOf(`${DIRECTORY}/journal.damaged-1`)).toBeUndefined()

    disk.freeBytes = Number.POSITIVE_INFINITY
    await keep(again, p.contract('c1'))
    expect(cut.subarray(-50)).toEqual(disk.contentOf(`${DIRECTORY}/journal.damaged-1`)?.subarray(-50))
    const shown = contentOf(again.view)
    disk.crash()
    const { store: last } = await openOn(disk)
    expect(contentOf(last.view)).toEqual(shown)
    await close(last)
  }
})

test('at whatever byte the disk is full, a first start says so and leaves nothing behind', async () => {
  let budget = 0
  for (; ; budget += 5) {
    const disk = new SimulatedDisk()
    disk.freeBytes = budget
    const failure = await openOn(disk).then(
      () => undefined,
      (error) => error,
    )
    if (failure === undefined) break
    expect(failure).toMatchObject({
      name: 'DataDirError',
      message: `The disk of the data directory ${DIRECTORY} is full`,
      next: expect.stringMatching(/Free some space/),
    })
    expect(disk.paths()).toEqual([])
  }
  expect(budget).toBeGreaterThan(200)
})

test('a disk that fails is not called full: nothing is kept, and the next write is tried all the same', async () => {
  const { disk, store } = await storeWithProject()
  disk.fail('append')
  const before = { shown: contentOf(store.view), journal: disk.contentOf(JOURNAL) }
  await expect(keep(store, p.contract('c1'))).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'This could not be written to the disk; nothing of this call was kept.',
    next: 'Check the data directory and its disk, then try again. Reading goes on.',
  })
  expect(store.health().problem?.message).toBe(
    'The disk of the data directory failed to take the last write (EIO); reading goes on',
  )
  expect({ shown: contentOf(store.view), journal: disk.contentOf(JOURNAL) }).toEqual(before)
  expect(await look(store, (view) => view.projects.size)).toBe(1)
  disk.mend()
  await keep(store, p.contract('c1'))
  expect(store.health()).toMatchObject({ status: 'healthy', statements: 3 })
})

test('a store on a full disk looks by itself whether there is room, says so, and logs it once', async () => {
  const { disk, store } = await storeWithProject()
  await close(store)
  disk.freeBytes = 0
  const time = new VirtualTime()
  const logged: string[] = []
  const note = (_details: object, message: string) => void logged.push(message)
  const log = { info: note, warn: note, error: note }
  const { store: again } = await openOn(disk, { timers: time, log })
  expect(again.health().problem).toEqual(DISK_IS_FULL)
  await time.advance(60_000)
  expect(again.health().problem).toEqual(DISK_IS_FULL)
  disk.freeBytes = Number.POSITIVE_INFINITY
  await time.advance(5000)
  expect(again.health()).toMatchObject({ status: 'healthy' })
  expect(again.health()).not.toHaveProperty('problem')
  expect(logged).toEqual(['nothing is written', 'the disk takes data again, and so does the daemon'])
})

test('a store at its quota says so until there is room for what it refused', async () => {
  const { store } = await openOn(new SimulatedDisk(), { quotaBytes: 5000 })
  await keep(store, ...p.opening)
  const large = p.contract('c1', { content: { text: 'x'.repeat(3000) } })
  expect(await faultOf(keep(store, large))).toBe('storage_full')
  await keep(store, p.contract('c2'))
  expect(store.health()).toMatchObject({
    status: 'degraded',
    problem: {
      message:
        'The store has reached its quota of 5000 bytes: what would make it grow is refused, reading goes on',
      next: 'Raise quotaBytes in config.json and start the daemon anew',
    },
  })
})

test('what the store says that it takes is what lies on the disk', async () => {
  const disk = new SimulatedDisk()
  const { store, files } = await openOn(disk, { compactBytes: 4000 })
  const onDisk = () =>
    [...disk.files()]
      .filter(([path]) => /state\.json$|journal\.\d+$|\/files\//.test(path))
      .reduce((sum, [, content]) => sum + content.length, 0)
  expect(store.health().bytes).toBe(onDisk())
  await keep(store, ...p.opening)
  await files.put(
    (async function* () {
      yield Buffer.from('x'.repeat(100))
    })(),
    1000,
  )
  for (let number = 0; number < 20; number++) await keep(store, p.contract(`c${number}`))
  await expect.poll(() => [...disk.files().keys()].filter((path) => /journal/.test(path))).toHaveLength(1)
  await expect.poll(() => store.health().bytes - onDisk()).toBe(0)
  await close(store)
  const { store: again } = await openOn(disk)
  expect(again.health().bytes).toBe(onDisk())
})

test('a store that is full of what is gone makes room by itself', async () => {
  const { store } = await openOn(new SimulatedDisk(), { quotaBytes: 20_000 })
  await keep(store, ...p.opening)
  const describe = (number: number) => keep(store, p.describe('x'.repeat(150), number))
  let refused = 0
  for (let number = 1; number <= 200; number++)
    while ((await faultOf(describe(number))) !== undefined) {
      refused++
      await new Promise(setImmediate)
    }
  expect(refused).toBeGreaterThan(0)
  expect(store.health()).toMatchObject({ statements: 3, seq: 202 })
})

test('what callers are told names no path', async () => {
  const { disk, store } = await storeWithProject()
  disk.freeBytes = 0
  const fault = await keep(store, p.contract('c1')).catch((error) => error)
  expect(`${fault.message} ${JSON.stringify(fault.details)}`).not.toMatch(/\/data|journal\./)
  expect(fault.next).toMatch(/try again/)
})
