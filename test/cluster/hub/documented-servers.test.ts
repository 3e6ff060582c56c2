import { describe, expect, test } from 'vitest'
import { openNats } from '../../../src/io/hub/nats-hub.ts'
import type { TestDaemon } from '../../support/daemons/daemon.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { type DocumentedHub, documentedHub } from '../../support/hub/documented-server.ts'
import { type NatsServer, startNats } from '../../support/hub/nats-server.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'
import { freePort } from '../../support/network/free-port.ts'
import { BOUND, hubDaemon, hubOf, project, settingsFor, troublesOf, untilEqual } from './hub-team.ts'

needNatsServer()

/** A cluster chooses its leaders first, and again when one is lost. */
const LEADERS_CHOSEN = { timeout: 80_000, interval: 500 }

const startOne = (hub: DocumentedHub): Promise<NatsServer> =>
  startNats({ configuration: (folder) => hub.putUsers(folder).then(() => hub.server(folder)) })

/** Three servers that know each other, with the names and ports of this machine. */
async function startThree(hub: DocumentedHub): Promise<NatsServer[]> {
  const ports = [await freePort(), await freePort(), await freePort()]
  const start = (index: number) =>
    startNats({
      configuration: async (folder: Folder) => {
        await hub.putUsers(folder)
        return ports.reduce(
          (text, port, other) => text.replace(`hub-${other + 1}.example:6222`, `127.0.0.1:${port}`),
          hub
            .cluster(folder)
            .replace('"hub-1"', `"hub-${index + 1}"`)
            .replace('"0.0.0.0:6222"', `"127.0.0.1:${ports[index]}"`),
        )
      },
    })
  return Promise.all(ports.map((_, index) => start(index)))
}

describe('the servers of docs/hub', { timeout: 120_000 }, () => {
  test('let each daemon do what it has to, and nobody else', async () => {
    await using folder = await folderWith()
    const documented = await documentedHub(folder)
    const { users, tlsCa } = documented
    await using server = await startOne(documented)
    const as = (nkey?: string) => settingsFor(server.url, { tlsCa, ...(nkey && { nkey }) })
    await using backend = await hubDaemon('backend')
    await using frontend = await hubDaemon('frontend')
    await using ci = await hubDaemon('ci', as(users.ci.nkey))
    await backend.rpc('cacp/hub/connect', as(users.backend.nkey))
    await frontend.rpc('cacp/hub/connect', as(users.frontend.nkey))
    await expect(backend.rpc('cacp/hub/init', {})).rejects.toThrow('may not publish on $JS.API.STREAM.CREATE')
    await backend.rpc('cacp/hub/init', { nkey: users.admin.nkey })
    const projectId = await project([backend, frontend], ['backend', 'frontend'])
    await untilEqual([backend, frontend, ci], projectId)
    for (const one of [backend, frontend])
      await expect.poll(() => hubOf(one), BOUND).toMatchObject({ state: 'current', troubles: [] })
    await ci.rpc('cacp/project/create', { name: 'Of a job', objective: '' })
    await expect.poll(() => troublesOf(ci), BOUND).toContain('permission')
    await expect(backend.rpc('cacp/hub/connect', as())).rejects.toThrow('does not accept who this daemon is')
    const signal = new AbortController().signal
    const { connection } = await openNats({ ...as(users.frontend.nkey), name: 'eavesdropper' }, signal)
    const refused = new Promise((resolve) => {
      connection.subscribe(`_INBOX.${users.backend.key}.>`, { callback: resolve })
    })
    expect(String(await refused)).toContain('Permissions Violation')
    await connection.close()
  })

  test('go on as three when one of them is killed', async () => {
    await using folder = await folderWith()
    const documented = await documentedHub(folder)
    const { users, tlsCa } = documented
    const servers = await startThree(documented)
    try {
      const url = servers.map((server) => server.url).join(',')
      const as = (nkey: string) => settingsFor(url, { tlsCa, nkey })
      await using backend = await hubDaemon('backend')
      await using frontend = await hubDaemon('frontend')
      const init = { replicas: 3, nkey: users.admin.nkey }
      await expect
        .poll(
          () =>
            backend
              .rpc('cacp/hub/connect', as(users.backend.nkey))
              .then(() => backend.rpc('cacp/hub/init', init))
              .then(() => 'made', String),
          LEADERS_CHOSEN,
        )
        .toBe('made')
      await frontend.rpc('cacp/hub/connect', as(users.frontend.nkey))
      const projectId = await project([backend, frontend], ['backend', 'frontend'])
      await servers[0]?.stop('SIGKILL')
      for (const one of [backend, frontend])
        await one.rpc('cacp/context/askQuestion', { projectId, question: 'still there?', options: ['yes'] })
      const packetsAt = async (one: TestDaemon) =>
        (await one.rpc('cacp/context/list', { projectId })).packets.length
      for (const one of [backend, frontend]) await expect.poll(() => packetsAt(one), LEADERS_CHOSEN).toBe(2)
      await servers[0]?.start()
      for (const one of [backend, frontend])
        await expect.poll(() => hubOf(one), BOUND).toMatchObject({ state: 'current', troubles: [] })
    } finally {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
    }
  })
})
