import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daemon } from '../../support/daemons/daemon.ts'
import { startNats } from '../../support/hub/nats-server.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'
import { freePort } from '../../support/network/free-port.ts'
import { cacpd } from '../captured-terminal.ts'

needNatsServer()

describe('cacpd hub', { timeout: 60_000 }, () => {
  test('connects, makes the streams, tells how it is doing, and disconnects', async () => {
    await using server = await startNats()
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    const hub = (...words: string[]) => cacpd(['hub', ...words], { cwd })
    expect(await hub('status')).toMatchObject({
      exitCode: 0,
      out: 'none; to use one: cacpd hub connect URL\n',
    })
    expect(await hub('init')).toMatchObject({ exitCode: 1, err: expect.stringContaining('hub connect URL') })
    const connected = await hub('connect', server.url, '--org', 'acme')
    expect(connected).toMatchObject({ exitCode: 0, err: expect.stringContaining('cacpd hub init') })
    expect(connected.out).toMatch(
      new RegExp(
        `^Connected with ${server.url} without TLS: nats-server 2\\.\\S+ \\(\\S+\\), organisation acme`,
      ),
    )
    expect(JSON.parse((await hub('init', '--json')).out)).toEqual({
      streams: [
        { name: 'KV_cacp_acme_cards', did: 'made' },
        { name: 'OBJ_cacp_acme_files', did: 'made' },
        { name: 'CACP_ACME_FACTS', did: 'made' },
        { name: 'CACP_ACME_REGISTERS', did: 'made' },
      ],
    })
    await expect.poll(async () => JSON.parse((await hub('status', '--json')).out).hub.state).toBe('current')
    expect((await cacpd(['status'], { cwd })).out).toContain(`hub: ${server.url}, current\n`)
    expect((await cacpd(['doctor'], { cwd })).out).toContain(`hub: ${server.url}, current\n`)
    expect(await hub('disconnect')).toMatchObject({ exitCode: 0, out: 'status: disconnected\n' })
    expect(await hub('disconnect')).toMatchObject({ exitCode: 0, out: 'status: not_connected\n' })
  })

  test('saves what it connected with, trusted, for the next start, and nothing that could not be reached', async () => {
    await using server = await startNats()
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    const file = join(backend.dataDir, 'config.json')
    const dead = `nats://127.0.0.1:${await freePort()}`
    expect(await cacpd(['hub', 'connect', dead], { cwd })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`The hub at ${dead} cannot be reached`),
    })
    await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT')
    await cacpd(['hub', 'connect', server.url], { cwd })
    const saved = { hub: { url: server.url, org: 'default', members: false } }
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(saved)
    const { loadConfig } = await import('../../../src/config/config.ts')
    const env = { XDG_STATE_HOME: join(cwd, 'state') }
    expect(await loadConfig({ flags: {}, env, cwd })).toMatchObject(saved)
  })

  test('does not trust what else is in the settings', async () => {
    await using server = await startNats()
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    await writeFile(join(backend.dataDir, 'config.json'), '{"open": true}')
    expect(await cacpd(['hub', 'connect', server.url], { cwd })).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('cacpd config trust'),
    })
  })

  test('says what is wrong with a command line', async () => {
    await using backend = await daemon()
    const cwd = dirname(backend.dataDir)
    for (const [words, said] of [
      [['connect'], 'say where the hub is'],
      [['connect', 'http://x'], 'nats://HOST:PORT'],
      [['connect', 'nats://x', '--org', 'A B'], 'org'],
      [['connect', 'nats://x', '--creds', 'a', '--nkey', 'b'], 'creds or nkey, not both'],
      [['init', '--replicas', '9'], 'replicas'],
    ] as const)
      expect(await cacpd(['hub', ...words], { cwd })).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining(said),
      })
  })
})
