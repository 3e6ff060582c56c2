import { expect, test } from 'vitest'
import { Digests } from '../../../../src/engine/replicate/cacpd/digests.ts'
import { createReplica } from '../../../../src/engine/replicate/cacpd/replica.ts'
import { StatementLog } from '../../../../src/engine/replicate/cacpd/statement-log.ts'

const PEER = { kind: 'peer', agentId: 'aid://example.com/peer@1.0.0', repoName: 'peer-app' } as const
const DEALT = { projectId: 'p1', count: 65_536 }

test('of many questions that a peer asks at once only a few are answered, which keeps no other waiting', async () => {
  const none = { projects: { get: () => undefined } } as never
  const digests = new Digests(new StatementLog([], none), none, async () => {})
  const replica = createReplica({ digests, intake: {} as never, view: none, pause: async () => {} })
  const asked = Array.from({ length: 5 }, () => replica.buckets(DEALT, PEER).then(() => 'answered', String))
  const other = replica.buckets(DEALT, { ...PEER, agentId: 'aid://example.com/other@1.0.0' })
  expect((await Promise.all(asked)).at(-1)).toContain('4 calls of')
  expect(await other).toHaveLength(65_536)
  expect(await replica.buckets(DEALT, PEER)).toHaveLength(65_536)
})
