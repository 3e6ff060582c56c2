import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { HUB_TROUBLES, type HubTroubleKind } from '../../../src/domain/hub/trouble.ts'
import type { Clock } from '../../../src/engine/ports/ports.ts'
import { REPLICATION_RULES } from '../../../src/engine/replicate/rules.ts'
import { makeStreams } from '../../../src/io/hub/hub-admin.ts'
import { createNatsHub } from '../../../src/io/hub/nats-hub.ts'
import type { HubSettings } from '../../../src/protocol/hub-settings.ts'
import { cacpd } from '../../cli/captured-terminal.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { type NatsPlace, startNats } from '../../support/hub/nats-server.ts'

/** Daemons that know no address of each other. */

/** Waits of seconds would only make the tests longer. */
export const QUICK_RULES = {
  ...REPLICATION_RULES,
  repairEveryMillis: 1000,
  breaker: { ...REPLICATION_RULES.breaker, retryMillis: [100, 200, 500], openMillis: 1000 },
  hub: { ...REPLICATION_RULES.hub, graceMillis: 200, spreadMillis: 300, quietMillis: 300 },
}
export const BOUND = { timeout: 25_000, interval: 50 }

export const settingsFor = (url: string, more: Partial<HubSettings> = {}): HubSettings => ({
  url,
  org: 'acme',
  members: false,
  ...more,
})

export const makeHub = (url: string, more: Partial<HubSettings> = {}) =>
  makeStreams({ ...settingsFor(url, more), name: 'test' }, { replicas: 1 }, new AbortController().signal)

/** With a hub from its start, or without one. */
export const hubDaemon = (name: string, hub?: HubSettings, clock?: Clock): Promise<TestDaemon> =>
  daemon(
    { repo: `${name}-app`, agentId: `aid://example.com/${name}@1.0.0`, ...(hub && { hub }) },
    { rules: QUICK_RULES, ...(clock && { clock }) },
  )

/** What the operator of a daemon is told about its hub. */
export const hubOf = async (one: TestDaemon) => (await one.rpc('cacp/hub/status')).hub

export const troublesOf = async (one: TestDaemon): Promise<string[]> =>
  (await hubOf(one)).troubles.map(({ kind }: { kind: string }) => kind)

/** `hub status`, /health and the doctor all say what is wrong, and what to do about it. */
export async function untilTold(one: TestDaemon, kind: HubTroubleKind, words: string): Promise<void> {
  const { next } = HUB_TROUBLES[kind]
  const told = { message: expect.stringContaining(words), next }
  await expect
    .poll(async () => (await hubOf(one)).troubles, BOUND)
    .toContainEqual({ ...told, kind, since: expect.any(String) })
  expect((await one.fetch('/health')).json.hub.troubles).toContainEqual(told)
  const { out } = await cacpd(['doctor'], { cwd: dirname(one.dataDir) })
  expect(out).toContain(words)
  expect(out).toContain(next)
}

export const untilWell = (one: TestDaemon) =>
  expect.poll(() => hubOf(one), BOUND).toMatchObject({ state: 'current', troubles: [] })

export const ask = (one: TestDaemon, projectId: string, question: string) =>
  one.rpc('cacp/context/askQuestion', { projectId, question, options: ['yes'] })

/** Tries again until what the call is about has arrived. */
export const whenThere = (one: TestDaemon, method: string, params: object) =>
  expect
    .poll(
      () =>
        one.rpc(method, params).then(
          () => 'done',
          (error: Error) => error.message,
        ),
      BOUND,
    )
    .toBe('done')

export const untilSeen = (one: TestDaemon, projectId: string, status: string) =>
  expect
    .poll(async () => {
      const { contracts } = await one
        .rpc('cacp/contract/list', { projectId })
        .catch(() => ({ contracts: [] }))
      return contracts.map((contract: { status: string }) => contract.status)
    }, BOUND)
    .toEqual([status])

/** All show the same of a project. */
export const untilEqual = (all: readonly TestDaemon[], projectId: string) =>
  expect
    .poll(async () => {
      const shown = await Promise.all(
        all.map((one) => one.rpc('cacp/project/get', { projectId }).catch((error: Error) => error.message)),
      )
      return shown.every((one) => isDeepStrictEqual(one, shown[0])) ? 'equal' : shown
    }, BOUND)
    .toBe('equal')

/** A project for these daemons, which all but the first join when it has come to them. */
export async function project(all: readonly [TestDaemon, ...TestDaemon[]], names: readonly string[]) {
  const [first, ...others] = all
  const repos = names.map((name) => ({ name: `${name}-app` }))
  const { projectId } = await first.rpc('cacp/project/create', { name: 'Auth', objective: 'log in', repos })
  for (const one of others) {
    await whenThere(one, 'cacp/project/get', { projectId })
    await one.rpc('cacp/project/join', { projectId })
  }
  await untilEqual(all, projectId)
  return projectId as string
}

/** A hub, and a project of two daemons on it. */
export async function twoOnHub(place?: NatsPlace) {
  const server = await startNats(place)
  await makeHub(server.url)
  const hub = settingsFor(server.url)
  const backend = await hubDaemon('backend', hub)
  const frontend = await hubDaemon('frontend', hub)
  const projectId = await project([backend, frontend], ['backend', 'frontend'])
  return {
    server,
    hub,
    backend,
    frontend,
    projectId,
    [Symbol.asyncDispose]: async () => {
      for (const one of [frontend, backend, server]) await one[Symbol.asyncDispose]()
    },
  }
}

/** The texts of all facts on a hub, as somebody reads them who has no daemon. */
export async function messagesOn(settings: HubSettings): Promise<string[]> {
  const never = new AbortController().signal
  await using hub = await createNatsHub({ ...settings, name: 'test' }).open(never)
  const { last } = await hub.stateOf('facts')
  const texts: string[] = []
  for await (const list of hub.read('facts', { after: 0, upTo: last }, never))
    texts.push(...list.map(({ text }) => text))
  return texts
}
