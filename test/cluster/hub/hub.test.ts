import { cp, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { HubSettings } from '../../../src/protocol/hub-settings.ts'
import { startNats } from '../../support/hub/nats-server.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'
import {
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
  untilSeen,
  whenThere,
} from './hub-team.ts'

needNatsServer()

/** Whether a text stands in a message of the hub. */
const untilOnHub = (hub: HubSettings, text: string) =>
  expect.poll(async () => (await messagesOn(hub)).some((one) => one.includes(text)), BOUND).toBe(true)

describe('daemons that know no address of each other', { timeout: 60_000 }, () => {
  test('bring a contract from its proposal to its verification over a hub', async () => {
    await using server = await startNats()
    await makeHub(server.url)
    const hub = settingsFor(server.url)
    await using backend = await hubDaemon('backend', hub)
    await using frontend = await hubDaemon('frontend', hub)
    await using mobile = await hubDaemon('mobile', hub)
    const all = [backend, frontend, mobile] as const
    const projectId = await project(all, ['backend', 'frontend', 'mobile'])
    const { contractId } = await backend.rpc('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Me',
      content: { v: 1 },
    })
    const about = { projectId, contractId }
    for (const one of [frontend, mobile])
      await whenThere(one, 'cacp/contract/respond', { ...about, action: 'agree' })
    for (const one of all) await untilSeen(one, projectId, 'agreed')
    for (const one of all) {
      await one.rpc('cacp/implementation/start', about)
      await one.rpc('cacp/implementation/complete', { ...about, files: [] })
    }
    await untilSeen(mobile, projectId, 'implemented')
    await mobile.rpc('cacp/implementation/verify', { ...about, result: 'success' })
    for (const one of all) await untilSeen(one, projectId, 'verified')
    await untilEqual(all, projectId)
    await expect.poll(() => hubOf(backend), BOUND).toMatchObject({ state: 'current', troubles: [] })
  })

  test('go on when the server is killed and started again, and lose nothing meanwhile', async () => {
    await using team = await twoOnHub()
    const { server, backend, frontend, projectId } = team
    await server.stop('SIGKILL')
    await expect.poll(() => troublesOf(backend), BOUND).toEqual(['away'])
    for (const one of [backend, frontend])
      await one.rpc('cacp/context/askQuestion', { projectId, question: 'still there?', options: ['yes'] })
    expect((await backend.fetch('/health')).json.hub).toMatchObject({
      state: 'connecting',
      troubles: [{ message: expect.stringContaining('cannot be reached'), next: expect.any(String) }],
    })
    await server.start()
    await untilEqual([backend, frontend], projectId)
    expect((await frontend.rpc('cacp/context/list', { projectId })).packets).toHaveLength(2)
    await expect.poll(() => troublesOf(backend), BOUND).toEqual([])
  })

  test('offer everything again to a server that was wiped, and newcomers get all of it', async () => {
    await using team = await twoOnHub()
    const { server, hub, backend, frontend, projectId } = team
    await untilEqual([backend, frontend], projectId)
    await server.stop()
    await rm(server.data, { recursive: true })
    await server.start()
    await expect.poll(() => troublesOf(backend), BOUND).toContain('no_streams')
    await makeHub(server.url)
    await using newcomer = await hubDaemon('newcomer', hub)
    await untilEqual([backend, frontend, newcomer], projectId)
  })

  test('mend a server that was restored from an older copy of its folder', async () => {
    await using team = await twoOnHub()
    const { server, hub, backend, frontend, projectId } = team
    await untilEqual([backend, frontend], projectId)
    await server.stop()
    const copy = server.folder.at('copy')
    await cp(server.data, copy, { recursive: true })
    await server.start()
    await backend.rpc('cacp/context/askQuestion', { projectId, question: 'lost?', options: ['no'] })
    await expect
      .poll(async () => (await frontend.rpc('cacp/context/list', { projectId })).packets.length, BOUND)
      .toBe(1)
    await server.stop()
    await rm(server.data, { recursive: true })
    await cp(copy, server.data, { recursive: true })
    await server.start()
    await using newcomer = await hubDaemon('newcomer', hub)
    await untilEqual([backend, frontend, newcomer], projectId)
    expect((await newcomer.rpc('cacp/context/list', { projectId })).packets).toHaveLength(1)
  })

  test('keep projects that only members see off the hub, unless its permissions keep others out', async () => {
    await using server = await startNats()
    await makeHub(server.url)
    const hub = settingsFor(server.url)
    await using backend = await hubDaemon('backend')
    await using frontend = await hubDaemon('frontend')
    for (const one of [backend, frontend]) await one.rpc('cacp/hub/connect', hub)
    const { projectId: hidden } = await backend.rpc('cacp/project/create', {
      name: 'Secret',
      objective: '',
      visibility: 'members',
    })
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    await untilEqual([backend, frontend], projectId)
    expect((await hubOf(backend)).projects).toEqual([
      expect.objectContaining({ name: 'Secret', travels: false }),
      expect.objectContaining({ name: 'Auth', travels: true }),
    ])
    await expect(frontend.rpc('cacp/project/get', { projectId: hidden })).rejects.toThrow()
    expect((await messagesOn(hub)).filter((text) => text.includes('Secret'))).toEqual([])
    for (const one of [backend, frontend]) await one.rpc('cacp/hub/connect', { ...hub, members: true })
    expect((await hubOf(backend)).projects[0]).toMatchObject({ name: 'Secret', travels: true })
    await untilOnHub(hub, 'Secret')
  })
})
