import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeStreams } from '../../../src/io/hub/hub-admin.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { addMicros } from '../../../src/protocol/stamp.ts'
import type { TestDaemon } from '../../support/daemons/daemon.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { newCertificate, newHubUser } from '../../support/hub/hub-users.ts'
import { startNats } from '../../support/hub/nats-server.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'
import { SmallDisk, WITHOUT_DISKS } from '../../support/hub/small-disk.ts'
import { pair } from '../pairs.ts'
import {
  ask,
  BOUND,
  hubDaemon,
  hubOf,
  makeHub,
  project,
  settingsFor,
  untilEqual,
  untilTold,
  untilWell,
} from './hub-team.ts'

needNatsServer()

const FOREVER = new AbortController().signal

describe('a daemon says what is wrong with its hub, and goes on when that is mended', {
  timeout: 90_000,
}, () => {
  test('the certificate is by another authority', async () => {
    await using folder = await folderWith()
    const [own, other] = [await newCertificate(folder), await newCertificate(folder, 'other')]
    const showing = (file: string) => `tls { cert_file: "${file}", key_file: "${file}" }`
    await using server = await startNats({ configuration: () => showing(own) })
    const hub = settingsFor(server.url, { tlsCa: own })
    await makeHub(server.url, { tlsCa: own })
    await using backend = await hubDaemon('backend', hub)
    await using frontend = await hubDaemon('frontend', hub)
    await using stranger = await hubDaemon('stranger')
    const projectId = await project([backend, frontend], ['backend', 'frontend'])

    await expect(stranger.rpc('cacp/hub/connect', { ...hub, tlsCa: other })).rejects.toThrow('certificate')
    expect(await hubOf(stranger)).toBeNull()

    await server.reload(showing(other))
    await server.stop('SIGKILL')
    await server.start()
    await untilTold(backend, 'tls', `The certificate of the hub at ${server.url} is not accepted`)
    for (const one of [backend, frontend]) await ask(one, projectId, 'who is it?')
    await server.reload(showing(own))
    await server.stop('SIGKILL')
    await server.start()
    await untilEqual([backend, frontend], projectId)
    for (const one of [backend, frontend]) await untilWell(one)
  })

  test('it may not publish on one subject: others and links go on, and it goes out once it may', async () => {
    await using folder = await folderWith()
    const [ours, other] = [await newHubUser(folder, 'ours'), await newHubUser(folder, 'other')]
    const users = (denied: string) =>
      `authorization { users: [ { nkey: ${other.key} }, { nkey: ${ours.key}, permissions: { publish: { deny: "${denied}" } } } ] }`
    await using server = await startNats({ configuration: () => users('nothing') })
    await makeHub(server.url, { nkey: other.nkey })
    await using backend = await hubDaemon('backend', settingsFor(server.url, { nkey: ours.nkey }))
    await using frontend = await hubDaemon('frontend', settingsFor(server.url, { nkey: other.nkey }))
    await using linked = await hubDaemon('linked')
    await pair(linked, backend)
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    await server.reload(users('cacp.acme.*.packet.>'))
    await ask(backend, projectId, 'denied?')
    await untilTold(backend, 'permission', `This daemon may not publish on cacp.acme.${projectId}.packet.`)
    expect((await hubOf(backend)).refusedThere.count).toBe(1)
    await backend.rpc('cacp/contract/propose', { projectId, type: 'custom', name: 'Me', content: { v: 1 } })
    const contractsAt = async () => (await frontend.rpc('cacp/contract/list', { projectId })).contracts.length
    await expect.poll(contractsAt, BOUND).toBe(1)
    await untilEqual([backend, linked], projectId)
    expect((await frontend.rpc('cacp/context/list', { projectId })).packets).toHaveLength(0)

    await server.reload(users('nothing'))
    await untilEqual([backend, frontend, linked], projectId)
    expect((await frontend.rpc('cacp/context/list', { projectId })).packets).toHaveLength(1)
    await untilWell(backend)
    expect((await hubOf(backend)).refusedThere.count).toBe(0)
  })

  test('a stream is full', async () => {
    await using server = await startNats()
    const access = { ...settingsFor(server.url), name: 'test' }
    const giving = (maxBytes: number) => makeStreams(access, { replicas: 1, maxBytes }, FOREVER)
    await giving(100_000)
    await using backend = await hubDaemon('backend', settingsFor(server.url))
    await using frontend = await hubDaemon('frontend', settingsFor(server.url))
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    const all = [backend, frontend]
    for (let index = 0; index < 10; index++)
      for (const one of all) await ask(one, projectId, `${index} ${'x'.repeat(10_000)}`)
    for (const one of all) await untilTold(one, 'full', 'The hub stores nothing more')
    await giving(10_000_000)
    await untilEqual(all, projectId)
    expect((await frontend.rpc('cacp/context/list', { projectId })).packets).toHaveLength(20)
    for (const one of all) await untilWell(one)
  })

  test('the server has no more room for its streams', async () => {
    const room = (bytes: number) => (folder: Folder) =>
      `jetstream { store_dir: "${folder.at('data')}", max_file_store: ${bytes} }`
    await using server = await startNats({ configuration: room(200_000) })
    await makeHub(server.url)
    await using backend = await hubDaemon('backend', settingsFor(server.url))
    await using frontend = await hubDaemon('frontend', settingsFor(server.url))
    const all = [backend, frontend]
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    for (let index = 0; index < 15; index++)
      for (const one of all) await ask(one, projectId, `${index} ${'x'.repeat(10_000)}`)
    for (const one of all) await untilTold(one, 'full', 'The hub stores nothing more')
    await server.stop()
    await writeFile(server.folder.at('server.conf'), room(20_000_000)(server.folder))
    await server.start()
    await untilEqual(all, projectId)
    expect((await frontend.rpc('cacp/context/list', { projectId })).packets).toHaveLength(30)
    for (const one of all) await untilWell(one)
  })

  test.skipIf(WITHOUT_DISKS !== undefined)('the disk of the server is full', async () => {
    await using disk = await SmallDisk.open('8m')
    const configuration = () => `jetstream { store_dir: "${disk.path}", max_file_store: 1000000000 }`
    await using server = await startNats({ within: disk.within, configuration })
    await makeHub(server.url)
    await using backend = await hubDaemon('backend', settingsFor(server.url))
    await using frontend = await hubDaemon('frontend', settingsFor(server.url))
    const all = [backend, frontend]
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    await disk.fill()
    for (let index = 0; index < 15; index++)
      for (const one of all) await ask(one, projectId, `${index} ${'x'.repeat(10_000)}`)
    // Servers differ: they refuse, hang, or stop keeping anything.
    const nextSteps = async () => (await hubOf(backend)).troubles.map(({ next }: { next: string }) => next)
    await expect.poll(nextSteps, BOUND).toEqual([expect.stringMatching(/\bdisk\b/)])
    await disk.free()
    await server.stop('SIGKILL')
    await server.start()
    await untilEqual(all, projectId)
    expect((await frontend.rpc('cacp/context/list', { projectId })).packets).toHaveLength(30)
    for (const one of all) await untilWell(one)
  })

  test('the server hangs', async () => {
    await using server = await startNats()
    await makeHub(server.url)
    await using backend = await hubDaemon('backend', settingsFor(server.url))
    await using frontend = await hubDaemon('frontend', settingsFor(server.url))
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    server.signal('SIGSTOP')
    try {
      for (const one of [backend, frontend]) await ask(one, projectId, 'slow?')
      await untilTold(backend, 'slow', `The hub at ${server.url} `)
    } finally {
      server.signal('SIGCONT')
    }
    await untilEqual([backend, frontend], projectId)
    expect((await frontend.rpc('cacp/context/list', { projectId })).packets).toHaveLength(2)
    for (const one of [backend, frontend]) await untilWell(one)
  })
})

describe('a daemon with a wrong clock is told so', { timeout: 90_000 }, () => {
  const HOUR = 3_600_000_000

  /** A clock that shows another time until it is set right. */
  function wrongClock(micros: number) {
    let off = micros
    const clock = { ...systemClock, now: () => addMicros(systemClock.now(), off) }
    const setRight = () => {
      off = 0
    }
    return { clock, setRight }
  }

  const idOf = async (name: string, at: TestDaemon): Promise<string | undefined> => {
    const { projects } = await at.rpc('cacp/project/list')
    return projects.find((one: { name: string }) => one.name === name)?.projectId
  }

  test.each([
    ['ahead', HOUR, 'The clock here is 3600 s ahead of that of the hub'],
    ['behind', -HOUR, 'The clock of the hub is 3600 s ahead of the one here'],
  ])('%s, and has and gives everything when it is set right', async (_, micros, words) => {
    await using server = await startNats()
    await makeHub(server.url)
    const { clock, setRight } = wrongClock(micros)
    await using backend = await hubDaemon('backend', settingsFor(server.url))
    await using frontend = await hubDaemon('frontend', settingsFor(server.url))
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    await using wrong = await hubDaemon('wrong', settingsFor(server.url), clock)
    await wrong.rpc('cacp/project/create', { name: 'Own', objective: 'o' })
    await untilTold(wrong, 'clock', words)
    await ask(backend, projectId, 'what time is it?')
    await untilEqual([backend, frontend], projectId)
    setRight()
    await untilEqual([backend, frontend, wrong], projectId)
    // What nobody could take is said again, and so has another id now.
    await expect.poll(() => idOf('Own', frontend), BOUND).toBeDefined()
    await untilEqual([wrong, frontend, backend], String(await idOf('Own', frontend)))
    for (const one of [wrong, backend, frontend]) await untilWell(one)
  })
})
