import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { followEvents } from '../../support/daemons/event-reader.ts'
import { newcomer } from '../../support/daemons/newcomer.ts'

const PLACES = 3

let home: TestDaemon
let projectId: string
let key: { authorization: string }
beforeAll(async () => {
  home = await daemon({ streamCommentSeconds: 1, feedReaders: PLACES })
  key = { authorization: `Bearer ${home.key}` }
  ;({ projectId } = await home.rpc('cacp/project/create', { name: 'Login', objective: '' }))
})
afterAll(() => home[Symbol.asyncDispose]())

const follow = (query = '', headers: Record<string, string> = {}) =>
  followEvents(home.url, { ...key, ...headers }, query)
/** How many more may follow. */
async function freePlaces(): Promise<number> {
  const readers = await Promise.allSettled(Array.from({ length: PLACES }, () => follow()))
  const found = readers.flatMap((reader) => (reader.status === 'fulfilled' ? [reader.value] : []))
  await Promise.all(found.map((reader) => reader[Symbol.asyncDispose]()))
  return found.length
}
const propose = (name: string, project = projectId) =>
  home.rpc('cacp/contract/propose', { projectId: project, type: 'custom', name, content: { line: '\u2028' } })

describe('GET /events', () => {
  test('tells first where it goes on from, then every change as a CloudEvent with its cursor', async () => {
    await using reader = await follow()
    const snapshot = await reader.next()
    const { cursor } = await home.rpc('cacp/feed/read', { limit: 500 })
    expect(snapshot).toEqual({ id: cursor, type: 'dev.cacp.snapshot', data: { cursor } })
    const { contractId } = await propose('Profile')
    const event = await reader.next()
    const { events } = await home.rpc('cacp/feed/read', { since: cursor })
    expect(event).toEqual({ id: events[0].cursor, type: 'dev.cacp.contract.changed', data: events[0] })
    expect(event.data).toMatchObject({
      kind: 'contract',
      projectId,
      id: contractId,
      value: { name: 'Profile' },
    })
  })

  test('goes on after Last-Event-ID, whatever since says, and from since without it', async () => {
    await using first = await follow()
    const { id: start } = await first.next()
    await propose('one')
    const { id: seen } = await first.next()
    await first[Symbol.asyncDispose]()
    const { contractId } = await propose('two')
    await using second = await follow(`?since=${start}`, { 'last-event-id': seen })
    expect(await second.next()).toMatchObject({ type: 'dev.cacp.snapshot', data: { cursor: seen } })
    expect((await second.next()).data).toMatchObject({ id: contractId, value: { name: 'two' } })
    await using third = await follow(`?since=${start}`)
    expect((await third.next()).data).toEqual({ cursor: start })
    expect((await third.next()).data.value.name).toBe('one')
  })

  test('can be kept to a project and to kinds, said in either way', async () => {
    const other = await home.rpc('cacp/project/create', { name: 'Other', objective: '' })
    for (const kinds of ['kind=packet,project', 'kind=packet&kind=project']) {
      await using reader = await follow(`?projectId=${projectId}&${kinds}`)
      await reader.next()
      await propose('not this kind')
      await propose('not this project', other.projectId)
      await home.rpc('cacp/context/askQuestion', { projectId, question: 'Why?' })
      expect(await reader.next()).toMatchObject({ type: 'dev.cacp.packet.changed', data: { projectId } })
    }
  })

  test('gives back the places of all streams that were asked for over a connection that has gone', async () => {
    const { host, port } = new URL(home.url)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    const asked = `GET /events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${key.authorization}\r\n\r\n`
    socket.write(asked.repeat(PLACES))
    await expect.poll(() => freePlaces(), { timeout: 10_000 }).toBe(0)
    socket.destroy()
    await expect.poll(() => freePlaces(), { timeout: 10_000 }).toBe(PLACES)
  })

  test('shows by comments that it still stands', async () => {
    await using reader = await follow()
    await reader.next()
    const next = reader.next()
    await expect.poll(() => reader.comments.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await propose('again')
    expect((await next).data.value.name).toBe('again')
  })

  test.each([
    ['?since=yesterday', 400, 'invalid_params', /^Give one as it was answered, for example \S+\.\d+/],
    ['?since=01934a70-7d1c-7a02-9e1b-4c8f2d6a0b35.41', 410, 'stale_cursor', /go on from \S+\.\d+$/],
    ['?kind=agent', 400, 'invalid_params', /For example GET \/events\?projectId=/],
    ['?kind=', 400, 'invalid_params', /For example GET \/events\?projectId=/],
    ['?projectId=..%2F', 400, 'invalid_params', /For example GET \/events\?projectId=/],
    ['?projectId=a&projectId=b', 400, 'invalid_params', /For example GET \/events\?projectId=/],
    ['?project=p', 400, 'invalid_params', /For example GET \/events\?projectId=/],
    ['?projectId=missing', 404, 'not_found', /cacp\/project\/list/],
  ])('refuses %s with what would be right', async (query, status, kind, next) => {
    const reply = await home.fetch(`/events${query}`)
    expect(reply).toMatchObject({ status, json: { error: { kind, next: expect.stringMatching(next) } } })
  })

  test('refuses a Last-Event-ID that it never gave, by that name', async () => {
    const { status, json } = await home.fetch('/events', { headers: { 'last-event-id': 'nonsense' } })
    expect({ status, message: json.error.message }).toEqual({
      status: 400,
      message: 'Invalid params: Last-Event-ID: is no cursor',
    })
  })

  test('takes only so many readers, and another one when one has left', async () => {
    const readers = await Promise.all([follow(), follow(), follow()])
    for (const reader of readers) await reader.next()
    const refused = await home.fetch('/events')
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '5' },
      json: { error: { kind: 'busy', message: expect.stringContaining('3 readers') } },
    })
    await readers[0]?.[Symbol.asyncDispose]()
    await expect.poll(() => follow().then((reader) => readers.push(reader)), { timeout: 5000 }).toBe(4)
    for (const reader of readers) await reader[Symbol.asyncDispose]()
  })

  test('ends for whoever is shut out while it reads, and shows nothing more', async () => {
    const { token, tokenId } = await home.rpc('cacp/token/issue', {
      projectId,
      permissions: ['project:read'],
    })
    await expect
      .poll(() => follow().then((one) => one[Symbol.asyncDispose]()), { timeout: 5000 })
      .toBeUndefined()
    await using reader = await followEvents(home.url, { authorization: `Bearer ${token}` })
    await reader.next()
    const { projectId: hidden } = await home.rpc('cacp/project/create', { name: 'Hidden', objective: '' })
    await propose('hidden', hidden)
    await propose('shown')
    expect((await reader.next()).data).toMatchObject({ projectId, value: { name: 'shown' } })
    await home.rpc('cacp/token/revoke', { tokenId })
    await propose('after')
    expect(await reader.rest()).toEqual([])
  })
})

test('a daemon that stops ends its streams at once', async () => {
  const stopping = await daemon({ shutdownSeconds: 60 })
  const reader = await followEvents(stopping.url, { authorization: `Bearer ${stopping.key}` })
  await reader.next()
  const rest = reader.rest()
  await stopping[Symbol.asyncDispose]()
  expect(await rest).toEqual([])
}, 15_000)

test('a stream ends for a peer that is revoked while nothing happens, however seldom comments come', async () => {
  await using quiet = await daemon({ streamCommentSeconds: 3600 })
  const { url } = await quiet.rpc('cacp/invite/create', {})
  const mobile = await newcomer('mobile')
  const { body } = await mobile.pair(url)
  await using reader = await followEvents(quiet.url, { authorization: `Bearer ${body['apiKey']}` })
  await reader.next()
  await quiet.rpc('cacp/peer/revoke', { agentId: mobile.agentId })
  expect(await reader.rest()).toEqual([])
})
