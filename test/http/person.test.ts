import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'

test('a daemon that asks to be let in waits for a person, until it is approved', async () => {
  await using backend = await daemon()
  const stranger = {
    agentId: 'aid://example.com/stranger@1.0.0',
    endpoint: 'http://127.0.0.1:9',
    repoName: 'stranger',
  }
  await backend.fetch('/peers/register', {
    method: 'POST',
    headers: { authorization: '', 'content-type': 'application/json' },
    body: JSON.stringify(stranger),
  })
  const todo = await backend.rpc('cacp/person/todo', {})
  expect(todo.person).toEqual([
    {
      id: `approve_peer:${stranger.agentId}`,
      kind: 'approve_peer',
      name: 'stranger',
      why: '«stranger» at «http://127.0.0.1:9» asks to be let in',
      since: expect.any(String),
      from: { repo: 'stranger', agentId: stranger.agentId, trust: 'pending' },
      endpoint: stranger.endpoint,
      fingerprint: null,
      next: { method: 'cacp/peer/approve', params: { agentId: stranger.agentId } },
    },
  ])
  const { next } = todo.person[0]
  await backend.rpc(next.method, next.params)
  expect(await backend.rpc('cacp/person/todo', {})).toMatchObject({ person: [], counts: { total: 0 } })
})
