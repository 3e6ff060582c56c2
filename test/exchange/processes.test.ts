import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { callsTo } from '../support/daemons/exchange.ts'
import { startProcess } from '../support/daemons/process.ts'
import { folderWith } from '../support/folders/folder.ts'
import { plainManifest } from '../support/network/manifests.ts'

const BIN = new URL('../../bin/cacpd.js', import.meta.url).pathname
const run = promisify(execFile)

const aidOf = (n: number): string => `aid://example.com/agent${n}@1.0.0`

/** Registers one agent after the other until the exchange is gone; answers those that were acknowledged. */
async function registerUntilGone(url: string): Promise<string[]> {
  const acknowledged: string[] = []
  const { register } = callsTo(url)
  for (let n = 0; ; n++) {
    const answer = await register(plainManifest({ aid: aidOf(n), name: `Agent ${n}` })).catch(() => undefined)
    if (answer === undefined) return acknowledged
    if (answer.json.success === true) acknowledged.push(aidOf(n))
  }
}

describe('an exchange that is killed', () => {
  test('has lost nothing that it had acknowledged, and answers at once when it is back', async () => {
    await using folder = await folderWith()
    const data = folder.at('exchange')
    const known = new Set<string>()
    let port = '0'
    for (let round = 0; round < 3; round++) {
      const running = await startProcess(data, ['--port', port], { command: 'exchange' })
      try {
        port = new URL(running.url).port
        const { get, search } = callsTo(running.url)
        for (const aid of known) expect((await get(`/v1/agents/${aid}`)).status).toBe(200)
        expect((await search({ query: 'agent', limit: 1 })).json.total).toBeGreaterThanOrEqual(known.size)
        const registering = registerUntilGone(running.url)
        await expect
          .poll(async () => (await get('/health')).json.agents, { timeout: 10_000, interval: 5 })
          .toBeGreaterThan(20)
        await running.stop('SIGKILL')
        for (const aid of await registering) known.add(aid)
        expect(known.size).toBeGreaterThan(10)
      } finally {
        await running.stop('SIGKILL')
      }
    }
  })
})

describe('the commands', () => {
  test('two daemons find each other through an exchange, all as processes of their own', async () => {
    await using folder = await folderWith()
    const there = await startProcess(folder.at('exchange'), ['--port', '0'], { command: 'exchange' })
    const adp = ['--port', '0', '--adp-exchange', String(there.listening['address']), '--require-adp']
    const [one, other] = await Promise.all(
      ['one', 'other'].map((name) =>
        startProcess(folder.at(`${name}/.cacp`), [
          ...adp,
          '--repo',
          name,
          '--agent-id',
          `aid://d/${name}@1.0.0`,
        ]),
      ),
    )
    try {
      const reply = await request(one?.url ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${one?.key}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'cacp/adp/search',
          params: { query: 'other' },
        }),
      })
      expect(await reply.body.json()).toMatchObject({
        result: {
          agents: [{ agentId: 'aid://d/other@1.0.0', endpoint: other?.url, signature: 'valid' }],
        },
      })
      expect(await there.stop('SIGTERM')).toBe(0)
      // Whoever is connected stays so: the exchange is only asked to find others.
      expect((await request(`${one?.url}/health`)).statusCode).toBe(200)
    } finally {
      for (const running of [there, one, other]) await running?.stop('SIGKILL')
    }
  })

  test('a daemon that must be registered and cannot be ends before it listens', async () => {
    await using folder = await folderWith()
    const words = ['start', '--data', folder.at('.cacp'), '--port', '0']
    const failed = await run(process.execPath, [
      BIN,
      ...words,
      '--adp-exchange',
      'http://127.0.0.1:9',
      '--require-adp',
    ])
      .then(() => undefined)
      .catch((error: { code: number; stdout: string; stderr: string }) => error)
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed?.stderr).toMatch(/error: This daemon must be registered, and is not: .*\nnext: /)
  })

  test.each([
    [['exchange', '--port', 'x'], '--port: must be a'],
    [['exchange', '--port', '70000'], '--port: must be a whole number'],
    [['exchange', '--host', '0.0.0.0'], '--host 0.0.0.0 lets other machines call'],
    [['exchange', '--host', 'example.com'], '--host: must be an IP address ('],
    [['exchange', '--public-url', 'http://x.example'], '--public-url: must be an https URL'],
    [['exchange', '--tls-cert', 'a.pem'], 'a certificate and its key go together'],
    [['exchange', '--data', ''], '--data'],
    [['start', '--require-adp'], '--require-adp needs an exchange: name it with --adp-exchange URL'],
    [['start', '--register-adp'], '--register-adp needs an exchange'],
    [['start', '--allow-known'], '--allow-known needs an exchange'],
    [['start', '--adp-exchange', 'ftp://x'], 'flag --adp-exchange is "ftp://x", but must be an http(s) URL'],
    [['start', '--adp-exchange', 'https://x#12'], 'but must be an http(s) URL'],
  ])('%j says what is wrong', async (words, message) => {
    await using folder = await folderWith()
    const { exitCode, err } = await cacpd(words, { cwd: folder.path })
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)])
  })
})
