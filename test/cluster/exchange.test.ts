import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { fakePeer } from '../support/fake-peer.ts'

const register = (at: TestDaemon, body: object) =>
  at.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const peerOf = async (at: TestDaemon) => (await at.fetch('/peers')).json.peers[0]

describe('the marks in what is sent to a peer', () => {
  test('go on from the last one it noted, also after changes that it may not see', async () => {
    const marks: { after: number; seq: number }[] = []
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({
      results: {
        'cacp/sync/mark': (mark) => {
          marks.push(mark)
          return { status: 'noted' }
        },
      },
    })
    await register(backend, fake.registration)
    const create = (more: object) =>
      backend.rpc('cacp/project/create', {
        name: 'n',
        objective: 'o',
        repos: [{ name: 'backend-api' }],
        ...more,
      })
    await create({})
    await expect.poll(() => marks).toHaveLength(1)
    await create({ visibility: 'members' })
    await expect.poll(() => peerOf(backend)).toMatchObject({ health: 'healthy', behind: 0 })
    await create({})
    await expect.poll(() => marks).toHaveLength(2)
    expect(marks[1]?.after).toBe(marks[0]?.seq)
  })
})
