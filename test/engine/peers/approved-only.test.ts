import { expect, test } from 'vitest'
import type { Peer } from '../../../src/domain/model.ts'
import { toApprovedOnly } from '../../../src/engine/peers/approved-only.ts'
import { at, orderedTableOf } from '../../domain/builders.ts'

const peer = (name: string, trust: Peer['trust']): Peer => ({
  agent_id: name,
  endpoint: 'http://127.0.0.1:9',
  repo_name: name,
  trust,
  registered_at: at(0),
  last_seen: at(0),
})

test('calls go to approved peers and to URLs that the operator named, and to nobody else', async () => {
  const sent: string[] = []
  const client = {
    get: async (url: string) => `${sent.push(url)}`,
    post: async (url: string) => `${sent.push(url)}`,
  }
  const peers = orderedTableOf(
    [peer('friend', 'approved'), peer('foe', 'revoked'), peer('stranger', 'pending')],
    {
      id: ({ agent_id }) => agent_id,
      created: () => '',
    },
  )
  const guarded = toApprovedOnly(client, { peers })
  for (const to of ['foe', 'stranger', 'nobody']) {
    await expect(guarded.get(to, 1, to)).rejects.toThrow('is not let in here')
    await expect(guarded.post(to, '', 1, to)).rejects.toThrow('is not let in here')
  }
  await guarded.get('friend', 1, 'friend')
  await guarded.post('friend', '', 1, 'friend')
  await guarded.get('operator', 1)
  await guarded.post('invite', '', 1, { certificate: null })
  expect(sent).toEqual(['friend', 'friend', 'operator', 'invite'])
})

test('what is under way to a peer that is shut out is broken off at once, and nothing else', async () => {
  const client = {
    get: async () => '',
    post: (_url: string, _body: string, _millis: number, _to?: unknown, signal?: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('broken off')))
        if (_url === 'friend') setImmediate(() => resolve('done'))
      }),
  }
  const peers = orderedTableOf([peer('friend', 'approved'), peer('foe', 'approved')], {
    id: ({ agent_id }) => agent_id,
    created: () => '',
  })
  const guarded = toApprovedOnly(client, { peers })
  const [toFriend, toFoe] = [guarded.post('friend', '', 1, 'friend'), guarded.post('foe', '', 1, 'foe')]
  guarded.breakOff('foe')
  await expect(toFoe).rejects.toThrow('foe is not let in here')
  expect(await toFriend).toBe('done')
})
