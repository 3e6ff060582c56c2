import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { subjectOf } from '../../../src/domain/hub/subject.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { openNats } from '../../../src/io/hub/nats-hub.ts'
import { startProcess } from '../../support/daemons/process.ts'
import { rpcTo } from '../../support/daemons/rpc-to.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { newHubUser } from '../../support/hub/hub-users.ts'
import { startNats } from '../../support/hub/nats-server.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'
import {
  ask,
  BOUND,
  hubDaemon,
  hubOf,
  makeHub,
  messagesOn,
  project,
  settingsFor,
  troublesOf,
  twoOnHub,
  untilEqual,
  untilTold,
  untilWell,
} from './hub-team.ts'

needNatsServer()

const FOREVER = new AbortController().signal
const FLOOD = 20_000

async function start(
  dataDir: string,
  name: string,
  { url, within = [] }: { url: string; within?: string[] },
) {
  const flags = ['--repo', `${name}-app`, '--agent-id', `aid://example.com/${name}@1.0.0`, '--port', '0']
  const process = await startProcess(dataDir, flags, { within })
  await rpcTo(process, 'cacp/hub/connect', { url, org: 'acme' })
  return process
}

describe('a hub that is not to be believed', { timeout: 60_000 }, () => {
  test('is read past what is no statement, too large, forged, or of another place', async () => {
    await using team = await twoOnHub({ configuration: () => 'max_payload: 4MB' })
    const { hub, backend, frontend, projectId } = team
    const [known = ''] = await messagesOn(hub)
    const { nats, connection, manager } = await openNats({ ...hub, name: 'liar' }, FOREVER)
    await manager.streams.update('CACP_ACME_FACTS', { max_msg_size: -1 })
    const client = nats.jetstream(connection)
    const bad = [
      '',
      'no JSON',
      '{}',
      '\u0000'.repeat(100),
      'x'.repeat(3_000_000),
      JSON.stringify({ ...JSON.parse(known), about: 'another' }),
      known.replace(/"at":"\d{4}/, '"at":"2020'),
    ]
    for (const text of bad) await client.publish(`cacp.acme.${projectId}.founding.x`, text)
    for (let index = 0; index < 300; index++) await client.publish('cacp.acme.p.answer.x', `noise ${index}`)
    // A statement that is true, on the subject of another project.
    await client.publish('cacp.acme.elsewhere.founding.x', known)
    await connection.close()
    await backend.rpc('cacp/context/askQuestion', { projectId, question: 'and now?', options: ['on'] })
    await expect
      .poll(async () => (await frontend.rpc('cacp/context/list', { projectId })).packets.length, BOUND)
      .toBe(1)
    await untilEqual([backend, frontend], projectId)
    expect((await hubOf(frontend)).refusedHere.count).toBeGreaterThanOrEqual(300)
    expect((await frontend.rpc('cacp/project/list')).projects).toHaveLength(1)
  })

  test('is read past a flood by one user, within bounded memory, while honest daemons go on', {
    timeout: 180_000,
  }, async () => {
    await using server = await startNats()
    await makeHub(server.url)
    const hub = settingsFor(server.url)
    await using folder = await folderWith()
    await using backend = await hubDaemon('backend', hub)
    // Less than the flood would take, if anything of it were kept.
    const within = ['env', 'NODE_OPTIONS=--max-old-space-size=64']
    const small = await start(folder.at('.cacp'), 'small', { url: server.url, within })
    try {
      const projectId = await project([backend], ['backend'])
      await backend.rpc('cacp/context/askQuestion', { projectId, question: 'first?', options: ['yes'] })
      const packets = () =>
        rpcTo(small, 'cacp/context/list', { projectId }).then(
          (list) => list.packets.length,
          () => 0,
        )
      await expect.poll(packets, BOUND).toBe(1)
      const known = (await messagesOn(hub)).at(-1) ?? ''
      const padding = 'x'.repeat(5000)
      const junk = [
        (index: number) => `noise ${index} ${padding}`,
        (index: number) => JSON.stringify({ ...JSON.parse(known), about: `${index} ${padding}` }),
        (index: number) => known.replace(/"id":"../, `"id":"${(index % 90) + 10}`),
        (index: number) => JSON.stringify({ ...JSON.parse(known), id: `${index}`, under: padding }),
      ]
      const { nats, connection } = await openNats({ ...hub, name: 'liar' }, FOREVER)
      const client = nats.jetstream(connection)
      for (let index = 0; index < FLOOD; index += 200) {
        const some = Array.from({ length: 200 }, (_, more) => index + more)
        await Promise.all(
          some.map((one) => {
            const text = junk[one % junk.length]?.(one) ?? ''
            const register = one % 10 === 0 ? `.${one}` : ''
            return client.publish(`cacp.acme.${projectId}.packet.x${register}`, text)
          }),
        )
      }
      await connection.close()
      await backend.rpc('cacp/context/askQuestion', { projectId, question: 'and now?', options: ['on'] })
      await expect.poll(packets, { timeout: 120_000 }).toBe(2)
      const shown = await Promise.all(
        [small, backend].map((one) => rpcTo(one, 'cacp/project/get', { projectId })),
      )
      expect(shown[0]).toEqual(shown[1])
      expect((await rpcTo(small, 'cacp/hub/status', {})).hub.refusedHere.count).toBeGreaterThan(FLOOD / 2)
      await untilTold(backend, 'not_taken', 'Messages on the hub that were not taken here: ')
    } finally {
      await small.stop('SIGKILL')
    }
  })

  test('is read past what was replayed from another organisation', async () => {
    await using elsewhere = await startNats()
    await makeHub(elsewhere.url, { org: 'other' })
    const there = settingsFor(elsewhere.url, { org: 'other' })
    await using stranger = await hubDaemon('stranger', there)
    await stranger.rpc('cacp/project/create', { name: 'Elsewhere', objective: '' })
    await untilWell(stranger)
    const replayed = (await messagesOn(there)).map((text) => JSON.parse(text) as Statement)

    await using team = await twoOnHub()
    const { hub, backend, frontend, projectId } = team
    const { nats, connection, manager } = await openNats({ ...hub, name: 'liar' }, FOREVER)
    await manager.streams.update('CACP_ACME_FACTS', { subjects: ['cacp.acme.*.*.*', 'cacp.other.*.*.*'] })
    const client = nats.jetstream(connection)
    for (const one of replayed) {
      await client.publish(subjectOf('other', one), JSON.stringify(one))
      await client.publish(`cacp.acme.${projectId}.${one.kind}.x`, JSON.stringify(one))
    }
    await ask(backend, projectId, 'and now?')
    await untilTold(frontend, 'not_taken', 'is on a subject of another project or organisation')
    await untilEqual([backend, frontend], projectId)
    for (const one of [backend, frontend])
      expect((await one.rpc('cacp/project/list')).projects).toMatchObject([{ projectId }])

    // A statement names no organisation: whoever may publish can bring a project, which then all see alike.
    for (const one of replayed) await client.publish(subjectOf('acme', one), JSON.stringify(one))
    await connection.close()
    await untilEqual([backend, frontend, stranger], String(replayed[0]?.project_id))
  })

  test('says that credentials were revoked, and goes on when they are valid again', async () => {
    await using folder = await folderWith()
    const [ours, other] = [await newHubUser(folder, 'ours'), await newHubUser(folder, 'other')]
    const users = (...keys: string[]) =>
      `authorization { users: [ ${keys.map((key) => `{ nkey: ${key} }`).join(', ')} ] }`
    await using server = await startNats({ configuration: () => users(ours.key, other.key) })
    await makeHub(server.url, { nkey: other.nkey })
    await using backend = await hubDaemon('backend', settingsFor(server.url, { nkey: ours.nkey }))
    await using frontend = await hubDaemon('frontend', settingsFor(server.url, { nkey: other.nkey }))
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    await server.reload(users(other.key))
    await expect.poll(() => troublesOf(backend), BOUND).toEqual(['credentials'])
    await backend.rpc('cacp/context/askQuestion', { projectId, question: 'alone?', options: ['yes'] })
    await server.reload(users(ours.key, other.key))
    await untilEqual([backend, frontend], projectId)
    await expect
      .poll(async () => (await frontend.rpc('cacp/context/list', { projectId })).packets.length, BOUND)
      .toBe(1)
  })
})

describe('daemons as processes', { timeout: 120_000 }, () => {
  test('one that was asleep during a negotiation has all of it soon after it wakes', async () => {
    await using server = await startNats()
    await makeHub(server.url)
    const hub = settingsFor(server.url)
    await using folder = await folderWith()
    await using backend = await hubDaemon('backend', hub)
    await using frontend = await hubDaemon('frontend', hub)
    const laptop = await start(folder.at('.cacp'), 'laptop', server)
    try {
      const projectId = await project([backend, frontend], ['backend', 'frontend'])
      const at = (params: object) => ({ projectId, ...params })
      await expect
        .poll(
          () =>
            rpcTo(laptop, 'cacp/project/get', at({})).then(
              () => true,
              () => false,
            ),
          BOUND,
        )
        .toBe(true)
      laptop.child.kill('SIGSTOP')
      const offer = at({ type: 'custom', name: 'Me', content: { v: 1 } })
      const { contractId } = await backend.rpc('cacp/contract/propose', offer)
      const agree = at({ contractId, action: 'agree' })
      await expect
        .poll(
          () =>
            frontend.rpc('cacp/contract/respond', agree).then(
              () => true,
              () => false,
            ),
          BOUND,
        )
        .toBe(true)
      await server.stop('SIGKILL')
      await server.start()
      laptop.child.kill('SIGCONT')
      await expect
        .poll(
          () =>
            rpcTo(laptop, 'cacp/contract/get', at({ contractId })).then(
              ({ status }) => status,
              (error: Error) => error.message,
            ),
          BOUND,
        )
        .toBe('agreed')
    } finally {
      laptop.child.kill('SIGCONT')
      await laptop.stop('SIGKILL')
    }
  })

  test('the same data directory twice is told to both', async () => {
    await using server = await startNats()
    await makeHub(server.url)
    await using folder = await folderWith()
    const first = await start(folder.at('one/.cacp'), 'backend', server)
    try {
      await rpcTo(first, 'cacp/project/create', { name: 'Auth', objective: 'log in' })
      await first.stop('SIGTERM')
      await cp(folder.at('one'), folder.at('two'), { recursive: true })
      // In another place nobody has trusted its settings.
      await rm(folder.at('two/.cacp/config.json'))
      const one = await start(join(folder.at('one'), '.cacp'), 'backend', server)
      const two = await start(join(folder.at('two'), '.cacp'), 'backend', server)
      try {
        for (const process of [one, two]) {
          const said = async () => {
            await rpcTo(process, 'cacp/project/create', { name: 'More', objective: '' })
            const { hub } = await rpcTo(process, 'cacp/hub/status', {})
            return hub.troubles.map(({ kind }: { kind: string }) => kind)
          }
          await expect.poll(said, BOUND).toContain('twice')
        }
      } finally {
        await Promise.all([one.stop('SIGKILL'), two.stop('SIGKILL')])
      }
    } finally {
      await first.stop('SIGKILL')
    }
  })
})
