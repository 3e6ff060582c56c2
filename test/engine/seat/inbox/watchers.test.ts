import { expect, test } from 'vitest'
import { type InboxChange, InboxIndex } from '../../../../src/engine/seat/inbox/inbox-index.ts'
import { createInboxWatchers } from '../../../../src/engine/seat/inbox/watchers.ts'

test('after very many changes at once everybody who watches looks, without each being gone through', () => {
  const watchers = createInboxWatchers(new InboxIndex(() => ''))
  let woken = 0
  watchers.add({ agentId: 'a', repoName: null }, () => woken++)
  const ofOthers: InboxChange = { projectId: 'p', to: { only: 'r' } }
  watchers.note([ofOthers])
  watchers.wakeConcerned()
  expect(woken).toBe(0)
  for (let change = 0; change < 2000; change++) watchers.note([ofOthers])
  watchers.wakeConcerned()
  expect(woken).toBe(1)
  watchers.note(Array.from({ length: 200_000 }, () => ofOthers))
  watchers.wakeConcerned()
  expect(woken).toBe(2)
})
