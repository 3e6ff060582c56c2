import { expect, test } from 'vitest'
import { SimulatedDisk } from '../../support/simulated/disk.ts'
import { TestProject } from './entities.ts'
import { close, DIRECTORY, keep, openOn } from './opened.ts'

const p = new TestProject('p')

test.each([
  [2, true],
  [40, false],
])(
  'a close with %d MiB of state writes a snapshot: %s, so that no stop takes long',
  async (mib, isWritten) => {
    const disk = new SimulatedDisk()
    const { store } = await openOn(disk)
    const content = { text: 'x'.repeat(256 * 1024) }
    await keep(store, ...p.opening)
    for (let number = 0; number < 4 * mib; number++) await keep(store, p.contract(`c${number}`, { content }))
    await close(store)
    expect(disk.paths().includes(`${DIRECTORY}/journal.1`)).toBe(!isWritten)

    const { store: again } = await openOn(disk)
    expect(again.view.projects.get(p.id)?.contracts.size).toBe(4 * mib)
  },
)
