import { expect, test } from 'vitest'
import { readBackground } from '../../../src/io/background/state.ts'
import { folderWith } from '../../support/folders/folder.ts'

const STATE = { pid: 1, processStart: 'x', phase: 'gave up', since: '2026-11-16T09:00:00.000Z', restarts: 0 }

test.each([null, 5, {}, { message: 1 }, { message: 'it ended', next: {} }])(
  'a state whose problem is %j says nothing',
  async (problem) => {
    await using folder = await folderWith({ 'background.json': JSON.stringify({ ...STATE, problem }) })
    expect(await readBackground(folder.path)).toBeUndefined()
  },
)

test('a state with or without a problem is read as it was written', async () => {
  for (const state of [STATE, { ...STATE, problem: { message: 'it ended' } }]) {
    await using folder = await folderWith({ 'background.json': JSON.stringify(state) })
    expect(await readBackground(folder.path)).toEqual(state)
  }
})
