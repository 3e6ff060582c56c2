import { expect, test } from 'vitest'
import { ChangeLog } from '../../../src/engine/change-log.ts'
import { Digests } from '../../../src/engine/replicate/digests.ts'

test('of a project that only a peer speaks of nothing is kept', async () => {
  const digests = new Digests(new ChangeLog([]), async () => {})
  const asked = await digests.hashes('unheard')
  expect(asked.size).toBe(0)
  expect(await digests.hashes('unheard')).not.toBe(asked)
})
