import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { fakePeer } from '../support/fake-peer.ts'

interface Story {
  backend: TestDaemon
  agentId: string
  projectId: string
  /** Ids of the packets that were handed to the peer. */
  handed: string[]
  marks: { seq: number; life?: string }[]
}

/** A daemon and a peer that knows its project and is in its second life. */
async function told(story: (given: Story) => Promise<void>): Promise<void> {
  const handed: string[] = []
  const marks: Story['marks'] = []
  await using backend = await daemon({ open: true })
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
  await using fake = await fakePeer({
    results: {
      'cacp/sync/hello': () => ({ storeId: 'fake', received: 0, life: 'life-2', format: 1 }),
      'cacp/context/sync': ({ packet }) => {
        handed.push(packet.packet_id)
        return { status: 'created' }
      },
      'cacp/sync/mark': (mark) => {
        marks.push(mark)
        return { status: 'noted' }
      },
    },
  })
  await backend.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fake.registration),
  })
  await expect.poll(() => marks).not.toHaveLength(0)
  await story({ backend, agentId: fake.agentId, projectId, handed, marks })
}

const packet = (id: string, answer: number) => ({
  packet_id: id,
  from_repo: 'fake-app',
  from_agent: 'aid://example.com/fake@1.0.0',
  timestamp: '2026-01-01T00:00:00.000000Z',
  type: 'decision',
  content: { answer },
  related_contracts: [],
  reply_to: null,
})

/** As a peer hands a packet over. */
const hand = ({ backend, projectId }: Story, from: string, sent: object, source_life?: string) =>
  backend.rpc(
    'cacp/context/sync',
    { projectId, packet: sent, source_life },
    { authorization: '', 'x-agent-id': from },
  )

/** A packet of the daemon's own, and everything before it, has arrived at the peer. */
async function allHanded({ backend, projectId, handed }: Story): Promise<void> {
  const { packetId } = await backend.rpc('cacp/context/share', {
    projectId,
    type: 'decision',
    content: { last: true },
  })
  await expect.poll(() => handed).toContain(packetId)
}

describe('what a peer sent', () => {
  test('is not told to it in the same life of its, which the mark names', () =>
    told(async (given) => {
      await hand(given, given.agentId, packet('x', 1), 'life-2')
      await allHanded(given)
      expect(given.handed).not.toContain('x')
      expect(given.marks.at(-1)).toMatchObject({ life: 'life-2' })
    }))

  test('is told to it when it was in another life, which may have known more', () =>
    told(async (given) => {
      await hand(given, given.agentId, packet('x', 1), 'life-1')
      await hand(given, given.agentId, packet('y', 1))
      await allHanded(given)
      expect(given.handed).toEqual(expect.arrayContaining(['x', 'y']))
    }))

  test('is told to it when what was here before is now in it', () =>
    told(async (given) => {
      await hand(given, given.agentId, packet('x', 1), 'life-2')
      await hand(given, given.agentId, packet('x', 2), 'life-2')
      await allHanded(given)
      expect(given.handed).toContain('x')
    }))

  test('is told to everybody else, whatever life its sender says it is in', () =>
    told(async (given) => {
      await hand(given, 'aid://example.com/other@1.0.0', packet('x', 1), 'life-2')
      await allHanded(given)
      expect(given.handed).toContain('x')
    }))
})

test('a mark for another life than the present one is refused, so that nothing held back is lost', async () => {
  await using backend = await daemon({ open: true })
  const { life } = await backend.rpc('cacp/sync/hello', { storeId: 's', life: 'l' })
  const mark = (given: string) =>
    backend.post({
      jsonrpc: '2.0',
      id: 1,
      method: 'cacp/sync/mark',
      params: { storeId: 's', after: 0, seq: 1, life: given },
    })
  expect((await mark('earlier')).json.error.data.kind).toBe('conflict')
  expect((await mark(life)).json.result).toEqual({ status: 'noted', count: 1 })
})
