import { expect, test } from 'vitest'
import type { DiskFile } from '../../../src/io/store/directory/disk.ts'
import { SimulatedDisk, seededRandom } from '../../support/simulated/disk.ts'
import { TestProject } from './entities.ts'
import { DIRECTORY, faultOf, keep, look, openOn } from './opened.ts'
import { runSeveralTimes } from './several-runs.ts'

const p = new TestProject('p')

const RUNS = 500

/** The first seed of so many that breaks a promise of the store, and how; undefined when none does. */
async function firstThatFails(
  makeDisk: (random: () => number) => SimulatedDisk,
  runs: number,
): Promise<string | undefined> {
  for (let seed = 1; seed <= runs; seed++) {
    const random = seededRandom(seed)
    try {
      await runSeveralTimes(makeDisk(random), random)
    } catch (error) {
      return `seed ${seed}: ${error}`
    }
  }
  return undefined
}

test('whatever crashes when, what was acknowledged is there and nothing is there by half', async () => {
  expect(await firstThatFails((random) => new SimulatedDisk(random), RUNS)).toBeUndefined()
})

/** Disks that lie, to prove that the test above would notice a store that does not ask. */
class NeverSyncsFiles extends SimulatedDisk {
  override async create(path: string): Promise<DiskFile> {
    return { ...(await super.create(path)), sync: async () => {} }
  }
  override async open(path: string): Promise<DiskFile> {
    return { ...(await super.open(path)), sync: async () => {} }
  }
}

class NeverSyncsDirectories extends SimulatedDisk {
  override async syncDirectory(): Promise<void> {}
}

class NeverSyncsWhatItReopens extends SimulatedDisk {
  override async open(path: string): Promise<DiskFile> {
    const file = await super.open(path)
    let isFirst = true
    const sync = async () => {
      if (!isFirst) await file.sync()
      isFirst = false
    }
    return { ...file, sync }
  }
}

test.each([
  ['the journal', NeverSyncsFiles],
  ['directories', NeverSyncsDirectories],
  ['what a killed process has written', NeverSyncsWhatItReopens],
])('a store that does not sync %s is found out', async (_, Disk) => {
  expect(await firstThatFails((random) => new Disk(random), RUNS)).toMatch(/^seed \d+: /)
})

test('a first start that is interrupted at any point can be repeated', async () => {
  for (let operations = 0; operations < 40; operations++) {
    const disk = new SimulatedDisk(seededRandom(operations))
    disk.operationsUntilPowerFailure = operations
    await openOn(disk).catch(() => {})
    disk.crash()
    const { store } = await openOn(disk)
    await keep(store, ...p.opening)
    disk.crash()
    const { store: again } = await openOn(disk)
    expect(again.view.projects.size).toBe(1)
  }
})

test('what a killed process had written is made durable before anybody relies on it', async () => {
  const disk = new SimulatedDisk()
  const { store } = await openOn(disk)
  await keep(store, ...p.opening)
  disk.operationsUntilPowerFailure = disk.operations + 1 // the frame is written and not synced
  expect(await faultOf(keep(store, ...new TestProject('q').opening))).toBe('outcome_unknown')
  disk.kill()
  disk.plant(`${DIRECTORY}/journal.2`, Buffer.alloc(0))

  const { store: again } = await openOn(disk)
  expect(await look(again, (view) => view.projects.size)).toBe(2)
  disk.crash()
  const { store: last } = await openOn(disk)
  expect(last.view.projects.size).toBe(2)
})
