import { expect, test } from 'vitest'
import { ChangeLog } from '../../../src/engine/change-log.ts'
import { Digests } from '../../../src/engine/replicate/digests.ts'
import { createReplica } from '../../../src/engine/replicate/replica.ts'
import { daemon } from '../../support/daemon.ts'

const PEER = { kind: 'peer', agentId: 'aid://example.com/peer@1.0.0', repoName: 'peer-app' } as const
const DEALT = { projectId: 'p1', count: 65_536 }

test('of very many questions that a peer asks at once only a few are answered, and the next ones again', async () => {
  await using backend = await daemon({ open: true })
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
  const call = { jsonrpc: '2.0', method: 'cacp/sync/buckets', params: { projectId, count: 16 } }
  const ask = async () => {
    const body = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ ...call, id })))
    const headers = { 'content-type': 'application/json' }
    const { json } = await backend.fetch('/', { method: 'POST', headers, body })
    return json.map(({ error }: { error?: { data: { kind: string } } }) => error?.data.kind ?? 'answered')
  }
  const expected = [...Array(4).fill('answered'), ...Array(46).fill('busy')]
  expect((await ask()).sort()).toEqual(expected)
  expect((await ask()).sort()).toEqual(expected)
})

test('what one peer asks keeps no other from being answered', async () => {
  const digests = new Digests(new ChangeLog([]), async () => {})
  const none = { projects: { get: () => undefined } } as never
  const replica = createReplica({ digests, view: none, pause: async () => {} })
  const asked = Array.from({ length: 5 }, () => replica.buckets(DEALT, PEER).then(() => 'answered', String))
  const other = replica.buckets(DEALT, { ...PEER, agentId: 'aid://example.com/other@1.0.0' })
  expect((await Promise.all(asked)).at(-1)).toContain('4 comparisons with')
  expect(await other).toHaveLength(65_536)
})
