import { describe, expect, test } from 'vitest'
import type { HubConnection, StoredMessage } from '../../../src/engine/ports/hub.ts'
import { makeStreams } from '../../../src/io/hub/hub-admin.ts'
import { createNatsHub, openNats } from '../../../src/io/hub/nats-hub.ts'
import { startNats } from '../../support/hub/nats-server.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'

needNatsServer()

const accessTo = (url: string) => ({ url, org: 'acme', members: false, name: 'test' })
const FOREVER = new AbortController().signal
const SUBJECT = 'cacp.acme.p1.answer.c1'
const REGISTER = 'cacp.acme.p1.sighting.c1.key'

async function openHub(url: string): Promise<HubConnection> {
  await makeStreams(accessTo(url), { replicas: 1 }, FOREVER)
  return createNatsHub(accessTo(url)).open(FOREVER)
}

const message = (id: string, text = `text of ${id}`) => ({ subject: SUBJECT, id, text })

/** Reads until so many messages have come, over as many lists as it takes. */
async function readSome(
  hub: HubConnection,
  count: number,
  { after = 0, subject }: { after?: number; subject?: string } = {},
): Promise<StoredMessage[]> {
  const ending = new AbortController()
  const read: StoredMessage[] = []
  const range = { after, ...(subject === undefined ? {} : { subject }) }
  for await (const list of hub.read('facts', range, ending.signal)) {
    read.push(...list)
    if (read.length >= count) ending.abort()
  }
  return read
}

describe('a hub on a real server', () => {
  test('stores in the order of publishing, and tells what it has already', async () => {
    await using server = await startNats()
    await using hub = await openHub(server.url)
    const many = Array.from({ length: 700 }, (_, index) => message(`m${index}`))
    const outcomes = await hub.publish(many)
    expect(outcomes.map((one) => one.status)).toEqual(many.map(() => 'stored'))
    expect(await hub.publish([message('m5'), message('new')])).toEqual([
      { status: 'known', sequence: 6 },
      { status: 'stored', sequence: 701 },
    ])
    const read = await readSome(hub, 701)
    expect(read.map(({ sequence }) => sequence)).toEqual(read.map((_, index) => index + 1))
    expect(read.slice(0, 700).map(({ text }) => text)).toEqual(many.map(({ text }) => text))
    expect(await readSome(hub, 1, { after: 700 })).toMatchObject([{ sequence: 701, subject: SUBJECT }])
  })

  test('tells what its clock shows from the beginning', async () => {
    await using server = await startNats()
    await using hub = await openHub(server.url)
    const before = Date.now()
    const { now = '' } = await hub.stateOf('registers')
    expect(Math.abs(Date.parse(now) - before)).toBeLessThan(60_000)
  })

  test('goes on with what is published while it is read', async () => {
    await using server = await startNats()
    await using hub = await openHub(server.url)
    const reading = readSome(hub, 2)
    await hub.publish([message('a')])
    await hub.publish([message('b')])
    expect((await reading).map(({ text }) => text)).toEqual(['text of a', 'text of b'])
  })

  test('ends where it is told to, also when nothing matches', async () => {
    await using server = await startNats()
    await using hub = await openHub(server.url)
    const other = { subject: 'cacp.acme.p2.answer.c1', id: 'x', text: 'other' }
    await hub.publish([message('a'), other, message('b'), message('c')])
    const upTo = async (range: { after: number; upTo: number; subject?: string }) => {
      const read: string[] = []
      for await (const list of hub.read('facts', range, FOREVER)) read.push(...list.map(({ text }) => text))
      return read
    }
    expect(await upTo({ after: 0, upTo: 3 })).toEqual(['text of a', 'other', 'text of b'])
    expect(await upTo({ after: 0, upTo: 4, subject: 'cacp.acme.p2.*.*' })).toEqual(['other'])
    expect(await upTo({ after: 2, upTo: 4, subject: 'cacp.acme.p2.*.*' })).toEqual([])
    expect(await upTo({ after: 4, upTo: 4 })).toEqual([])
  })

  test('keeps the last of each register, and stores it only after the one that was known', async () => {
    await using server = await startNats()
    await using hub = await openHub(server.url)
    const register = (text: string, after: number) => ({ subject: REGISTER, id: text, text, after })
    expect(await hub.lastOf(REGISTER)).toBeUndefined()
    expect(await hub.publish([register('one', 0)])).toEqual([{ status: 'stored', sequence: 1 }])
    expect(await hub.publish([register('two', 0)])).toEqual([{ status: 'overtaken' }])
    expect(await hub.publish([register('two', 1)])).toEqual([{ status: 'stored', sequence: 2 }])
    // The same again after another one: a register that was displaced.
    expect(await hub.publish([register('one', 2)])).toEqual([{ status: 'stored', sequence: 3 }])
    expect(await hub.lastOf(REGISTER)).toMatchObject({ sequence: 3, text: 'one', subject: REGISTER })
    expect(await hub.stateOf('registers')).toMatchObject({ first: 3, last: 3 })
  })

  test('overwrites a message, and reads past it', async () => {
    await using server = await startNats()
    await using hub = await openHub(server.url)
    await hub.publish([message('a'), message('secret'), message('c')])
    await hub.erase('facts', 2)
    expect((await readSome(hub, 2)).map(({ sequence }) => sequence)).toEqual([1, 3])
  })

  test('reads messages of any size within bounded memory, and hands over no text larger than a statement', async () => {
    await using server = await startNats({ configuration: () => 'max_payload: 6MB' })
    await using hub = await openHub(server.url)
    const large = 'x'.repeat(1_200_000)
    const outcomes = await hub.publish(Array.from({ length: 20 }, (_, index) => message(`m${index}`, large)))
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['stored']))
    const { manager, connection } = await openNats(accessTo(server.url), FOREVER)
    await manager.streams.update('CACP_ACME_FACTS', { max_msg_size: -1 })
    await connection.close()
    await hub.publish([message('larger', 'x'.repeat(5_000_000)), message('last')])
    const read = await readSome(hub, 22)
    expect(read.map(({ text }) => text.length)).toEqual([...Array(20).fill(large.length), 0, 12])
  })

  test('says of a message that is too large that it is never stored', async () => {
    await using server = await startNats()
    await using hub = await openHub(server.url)
    const outcomes = await hub.publish([message('a'), message('b', 'x'.repeat(2_000_000)), message('c')])
    expect(outcomes).toEqual([
      { status: 'stored', sequence: 1 },
      {
        status: 'refused',
        trouble: 'too_large',
        reason: 'A statement of 2000000 characters is larger than the hub takes',
      },
      { status: 'stored', sequence: 2 },
    ])
  })
})
