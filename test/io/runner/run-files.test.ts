import { expect, test } from 'vitest'
import { openRunFiles } from '../../../src/io/runner/run-files.ts'
import { silent } from '../../../src/io/store/store-log.ts'
import { type Fallible, SimulatedDisk } from '../../support/simulated/disk.ts'

const HEAD = { run_id: '0190a000-0000-7000-8000-000000000001', created_at: '2026-11-16T09:00:00.000000' }

const UNAVAILABLE = {
  kind: 'unavailable',
  message: 'This could not be written to the disk; nothing of this call was kept.',
}

test.each<Fallible>(['append', 'sync', 'syncDirectory'])(
  'a run is not begun on a disk that fails (%s), and leaves no file behind',
  async (operation) => {
    const disk = new SimulatedDisk()
    const files = openRunFiles({ directory: '/data', disk, log: silent })
    disk.fail(operation)
    await expect(files.create(HEAD as never)).rejects.toMatchObject(UNAVAILABLE)
    expect(disk.paths()).toEqual([])
    disk.mend()
    await files.create(HEAD as never)
    expect(await files.load()).toMatchObject([{ head: HEAD }])
  },
)

test('a full disk and one that fails are told apart while a run is written', async () => {
  const disk = new SimulatedDisk()
  const file = await openRunFiles({ directory: '/data', disk, log: silent }).create(HEAD as never)
  disk.freeBytes = 0
  await expect(file.append('{}\n')).rejects.toMatchObject({ kind: 'storage_full' })
  disk.fail('sync')
  await expect(file.sync()).rejects.toMatchObject(UNAVAILABLE)
})
