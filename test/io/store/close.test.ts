import { expect, test } from 'vitest'
import { contractChange, projectChange } from '../../../src/domain/change.ts'
import { SimulatedDisk } from '../../support/simulated-disk.ts'
import { contract, project } from './entities.ts'
import { close, DIRECTORY, keep, openOn } from './opened.ts'

test.each([
  [2, true],
  [40, false],
])(
  'a close with %d MiB of state writes a snapshot: %s, so that no stop takes long',
  async (mib, isWritten) => {
    const disk = new SimulatedDisk()
    const { store } = await openOn(disk)
    const content = { text: 'x'.repeat(1024 * 1024) }
    await keep(store, projectChange(project('p')))
    for (let number = 0; number < mib; number++)
      await keep(store, contractChange('p', contract(`c${number}`, { content })))
    await close(store)
    expect(disk.paths().includes(`${DIRECTORY}/journal.1`)).toBe(!isWritten)

    const { store: again } = await openOn(disk)
    expect(again.view.projects.get('p')?.contracts.size).toBe(mib)
  },
)
