import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { HubConnection } from '../../../src/engine/ports/hub.ts'
import { makeStreams } from '../../../src/io/hub/hub-admin.ts'
import { createNatsHub } from '../../../src/io/hub/nats-hub.ts'
import type { Fault } from '../../../src/protocol/fault.ts'
import type { HubSettings } from '../../../src/protocol/hub-settings.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { newCertificate, newHubUser } from '../../support/hub/hub-users.ts'
import { startNats } from '../../support/hub/nats-server.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'
import { freePort } from '../../support/network/free-port.ts'

needNatsServer()

const FOREVER = new AbortController().signal
const accessTo = (settings: Partial<HubSettings> & { url: string }) => ({
  org: 'acme',
  members: false,
  name: 'test',
  ...settings,
})

const opening = (settings: Partial<HubSettings> & { url: string }): Promise<HubConnection> =>
  createNatsHub(accessTo(settings)).open(FOREVER)

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toHaveProperty('kind')
  return thrown as Fault
}

const troubleOf = async (promise: Promise<unknown>) => {
  const { data, message, next } = await faultOf(promise)
  expect(next).toMatch(/\w/)
  return { trouble: data['trouble'], message }
}

async function openedWithStreams(settings: Partial<HubSettings> & { url: string }): Promise<HubConnection> {
  await makeStreams(accessTo(settings), { replicas: 1 }, FOREVER)
  return opening(settings)
}

const fact = (id: string, text = id) => ({ subject: 'cacp.acme.p1.answer.c1', id, text })

describe('what is wrong with a hub is said in a plain sentence', () => {
  test('no server', async () => {
    const url = `nats://127.0.0.1:${await freePort()}`
    expect(await troubleOf(opening({ url }))).toEqual({
      trouble: 'away',
      message: `The hub at ${url} cannot be reached (ECONNREFUSED)`,
    })
  })

  test('something that is no NATS server, and one that says nothing', async () => {
    const { createServer } = await import('node:net')
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await troubleOf(opening({ url: `nats://127.0.0.1:${port}` }))).toMatchObject({ trouble: 'away' })
    server.close()
  })

  test('a server without JetStream, and one without streams', async () => {
    await using server = await startNats()
    expect(await troubleOf(opening({ url: server.url }))).toEqual({
      trouble: 'no_streams',
      message: `The hub at ${server.url} lacks a stream`,
    })
    await using plain = await startNats({
      configuration: () => 'accounts { A { users: [ { user: a, password: a } ] } }\nno_auth_user: a\n',
    })
    expect(await troubleOf(opening({ url: plain.url }))).toEqual({
      trouble: 'no_streams',
      message: `The hub at ${plain.url} has no JetStream for this daemon`,
    })
  })

  test('credentials that it does not know, and files that hold none', async () => {
    await using folder = await folderWith()
    const [known, stranger] = [await newHubUser(folder, 'known'), await newHubUser(folder, 'stranger')]
    await using server = await startNats({
      configuration: () => `authorization { users: [ { nkey: ${known.key} } ] }`,
    })
    const { url } = server
    await using hub = await openedWithStreams({ url, nkey: known.nkey })
    expect(await hub.stateOf('facts')).toMatchObject({ last: 0 })
    expect(await troubleOf(opening({ url, nkey: stranger.nkey }))).toEqual({
      trouble: 'credentials',
      message: `The hub at ${url} does not accept who this daemon is (Authorization Violation)`,
    })
    expect(await troubleOf(opening({ url }))).toMatchObject({ trouble: 'credentials' })
    await writeFile(folder.at('empty.nk'), 'nothing\n')
    expect(await troubleOf(opening({ url, nkey: folder.at('empty.nk') }))).toEqual({
      trouble: 'credentials',
      message: `hub.nkey: ${folder.at('empty.nk')} holds no seed of a user's key (SU…)`,
    })
    expect(await troubleOf(opening({ url, creds: folder.at('missing.creds') }))).toEqual({
      trouble: 'credentials',
      message: `hub.creds: ${folder.at('missing.creds')} cannot be read (ENOENT)`,
    })
  })

  test('credentials that are revoked while it is connected', async () => {
    await using folder = await folderWith()
    const [ours, other] = [await newHubUser(folder, 'ours'), await newHubUser(folder, 'other')]
    const users = (...keys: string[]) =>
      `authorization { users: [ ${keys.map((key) => `{ nkey: ${key} }`).join(', ')} ] }`
    await using server = await startNats({ configuration: () => users(ours.key, other.key) })
    await using hub = await openedWithStreams({ url: server.url, nkey: ours.nkey })
    await server.reload(users(other.key))
    // Servers differ in whether they say why they close it.
    await hub.ended
    expect(await troubleOf(hub.stateOf('facts'))).toMatchObject({ trouble: 'away' })
    expect(await troubleOf(opening({ url: server.url, nkey: ours.nkey }))).toMatchObject({
      trouble: 'credentials',
    })
  })

  test('a subject on which this daemon may not publish: the others go out', async () => {
    await using folder = await folderWith()
    const user = await newHubUser(folder, 'user')
    await using server = await startNats({
      configuration: () =>
        `authorization { users: [ { nkey: ${user.key}, permissions: { publish: { deny: "cacp.acme.p2.>" } } } ] }`,
    })
    await using hub = await openedWithStreams({ url: server.url, nkey: user.nkey })
    const denied = { subject: 'cacp.acme.p2.answer.c1', id: 'x', text: 'x' }
    expect(await hub.publish([fact('a'), denied, fact('b')])).toEqual([
      { status: 'stored', sequence: 1 },
      {
        status: 'refused',
        trouble: 'permission',
        reason: 'This daemon may not publish on cacp.acme.p2.answer.c1 at the hub',
      },
      { status: 'stored', sequence: 2 },
    ])
  })

  test('a stream that it may not read, and a message that it may not erase', async () => {
    await using folder = await folderWith()
    const [admin, user] = [await newHubUser(folder, 'admin'), await newHubUser(folder, 'user')]
    const denied = '["$JS.API.CONSUMER.CREATE.CACP_ACME_REGISTERS.>", "$JS.API.STREAM.MSG.DELETE.>"]'
    await using server = await startNats({
      configuration: () =>
        `authorization { users: [ { nkey: ${admin.key} }, { nkey: ${user.key}, permissions: { publish: { deny: ${denied} } } } ] }`,
    })
    await (await openedWithStreams({ url: server.url, nkey: admin.nkey }))[Symbol.asyncDispose]()
    await using hub = await opening({ url: server.url, nkey: user.nkey })
    await hub.publish([fact('a')])
    const reading = hub.read('registers', { after: 0 }, FOREVER)[Symbol.asyncIterator]().next()
    expect(await troubleOf(reading)).toMatchObject({
      trouble: 'permission',
      message: expect.stringContaining('$JS.API.CONSUMER.CREATE.CACP_ACME_REGISTERS'),
    })
    expect(await troubleOf(hub.erase('facts', 1))).toEqual({
      trouble: 'permission',
      message: 'This daemon may not publish on $JS.API.STREAM.MSG.DELETE.CACP_ACME_FACTS at the hub',
    })
  })

  test('a full stream refuses what is new, and has room again when it is given some', async () => {
    await using server = await startNats()
    const access = accessTo({ url: server.url })
    await makeStreams(access, { replicas: 1, maxBytes: 4000 }, FOREVER)
    await using hub = await opening({ url: server.url })
    const large = Array.from({ length: 5 }, (_, index) => fact(`f${index}`, 'x'.repeat(1500)))
    expect(await troubleOf(hub.publish(large))).toEqual({
      trouble: 'full',
      message: 'The hub stores nothing more (maximum bytes exceeded)',
    })
    expect(await makeStreams(access, { replicas: 1, maxBytes: 40_000 }, FOREVER)).toEqual([
      { name: 'KV_cacp_acme_cards', did: 'in_order' },
      { name: 'OBJ_cacp_acme_files', did: 'in_order' },
      { name: 'CACP_ACME_FACTS', did: 'changed' },
      { name: 'CACP_ACME_REGISTERS', did: 'changed' },
    ])
    const outcomes = await hub.publish(large)
    expect(outcomes.map(({ status }) => status)).toEqual(['known', 'known', 'stored', 'stored', 'stored'])
    expect(await hub.stateOf('facts')).toMatchObject({ first: 1, last: 5 })
  })

  test('a certificate of another authority, and a server without TLS where TLS is asked for', async () => {
    await using folder = await folderWith()
    const [own, other] = [await newCertificate(folder), await newCertificate(folder, 'other')]
    await using server = await startNats({
      configuration: () => `tls { cert_file: "${own}", key_file: "${own}" }`,
    })
    await using hub = await openedWithStreams({ url: server.url, tlsCa: own })
    expect(await hub.stateOf('facts')).toMatchObject({ last: 0 })
    for (const tlsCa of [other, undefined])
      expect(
        await troubleOf(opening({ url: server.url, ...(tlsCa === undefined ? {} : { tlsCa }) })),
      ).toMatchObject({ trouble: 'tls', message: expect.stringContaining('is not accepted') })
    await using plain = await startNats()
    expect(await troubleOf(opening({ url: plain.url.replace('nats:', 'tls:') }))).toEqual({
      trouble: 'tls',
      message: `The hub at ${plain.url.replace('nats:', 'tls:')} offers no TLS, without which others could read along`,
    })
  })

  test('a server that is killed ends the connection, the reading and what was being published', async () => {
    await using server = await startNats()
    await using hub = await openedWithStreams({ url: server.url })
    const reading = hub.read('facts', { after: 0 }, FOREVER)[Symbol.asyncIterator]()
    await hub.publish([fact('a')])
    expect((await reading.next()).value).toMatchObject([{ text: 'a' }])
    const next = troubleOf(reading.next())
    const publishing = hub.publish(Array.from({ length: 5000 }, (_, index) => fact(`m${index}`)))
    const [failed] = [faultOf(publishing), await server.stop('SIGKILL')]
    expect((await hub.ended).data).toMatchObject({ trouble: 'away' })
    expect((await failed).data).toMatchObject({ trouble: 'away' })
    expect(await next).toMatchObject({ trouble: 'away' })
    await server.start()
    await using again = await opening({ url: server.url })
    expect((await again.stateOf('facts')).last).toBeGreaterThan(0)
  })

  test('a server that hangs is slow, not away for ever', { timeout: 60_000 }, async () => {
    await using server = await startNats()
    await using hub = await openedWithStreams({ url: server.url })
    const publishOn = async () => {
      for (let index = 0; ; index++) await hub.publish([fact(`m${index}`)])
    }
    server.signal('SIGSTOP')
    try {
      expect(await troubleOf(publishOn())).toMatchObject({ trouble: 'slow' })
    } finally {
      server.signal('SIGCONT')
    }
  })

  test('a stream that is removed while it is read', async () => {
    await using server = await startNats()
    await using hub = await openedWithStreams({ url: server.url })
    const reading = hub.read('facts', { after: 0 }, FOREVER)[Symbol.asyncIterator]()
    const next = reading.next()
    await hub.publish([fact('a')])
    await next
    const after = troubleOf(reading.next())
    const { openNats } = await import('../../../src/io/hub/nats-hub.ts')
    const { manager, connection } = await openNats(accessTo({ url: server.url }), FOREVER)
    await manager.streams.delete('CACP_ACME_FACTS')
    await connection.close()
    expect(await after).toMatchObject({ trouble: 'away' })
    expect(await troubleOf(hub.stateOf('facts'))).toMatchObject({ trouble: 'no_streams' })
    expect(await troubleOf(hub.publish([fact('b')]))).toMatchObject({ trouble: 'no_streams' })
  })
})
