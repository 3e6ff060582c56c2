import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newWork } from '../../../src/engine/work/new-work.ts'
import { openWorkFiles } from '../../../src/io/runner/work-files.ts'
import { nodeDisk } from '../../../src/io/store/directory/node-disk.ts'
import { silent } from '../../../src/io/store/store-log.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import type { Work } from '../../../src/protocol/work.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { SimulatedDisk } from '../../support/simulated/disk.ts'

const ORDER = { peer: 'p', workType: 'echo', parameters: {}, hints: {}, customFields: {} }
const PEER = { agent_id: 'aid://example.com/p@1.0.0', repo_name: 'p' }

const work = (): Work =>
  newWork(ORDER, {
    peer: PEER as never,
    contract: null,
    askedBy: 'aid://example.com/a@1.0.0',
    clock: systemClock,
  })

test('work is found again as it was saved last, oldest first, and what was removed is gone', async () => {
  await using folder = await folderWith()
  const files = openWorkFiles({ directory: folder.path, disk: nodeDisk, log: silent })
  expect(await files.load()).toEqual([])
  const [first, second, third] = [work(), work(), work()]
  for (const one of [third, first, second]) await files.save(one)
  const saves = [10, 20, 30].map((progress) => files.save({ ...first, progress }))
  await Promise.all(saves)
  await files.remove(second.work_id)
  expect(await files.load()).toEqual([{ ...first, progress: 30 }, third])
})

test('a file that cannot be read hides no other', async () => {
  await using folder = await folderWith()
  const files = openWorkFiles({ directory: folder.path, disk: nodeDisk, log: silent })
  const saved = work()
  await files.save(saved)
  await writeFile(folder.at('work/torn.json'), '{"work_id":')
  await writeFile(folder.at('work/notes.txt'), 'mine')
  expect(await files.load()).toEqual([saved])
})

test('what was saved survives a crash, and a full disk is told as that and leaves what was there', async () => {
  const disk = new SimulatedDisk()
  const files = openWorkFiles({ directory: '/data', disk, log: silent })
  const saved = work()
  await files.save(saved)
  disk.freeBytes = 10
  await expect(files.save({ ...saved, progress: 50 })).rejects.toMatchObject({ kind: 'storage_full' })
  disk.freeBytes = Number.POSITIVE_INFINITY
  disk.crash()
  expect(await openWorkFiles({ directory: '/data', disk, log: silent }).load()).toEqual([saved])
})

test('work that a failing disk does not take is refused as that, and kept as it was', async () => {
  const disk = new SimulatedDisk()
  const files = openWorkFiles({ directory: '/data', disk, log: silent })
  const saved = work()
  await files.save(saved)
  disk.fail('sync')
  await expect(files.save({ ...saved, progress: 10 })).rejects.toMatchObject({ kind: 'unavailable' })
  disk.mend()
  expect(await files.load()).toEqual([saved])
})
