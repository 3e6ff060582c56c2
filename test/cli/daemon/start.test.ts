import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as passing } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LAUNCHER } from '../../../src/launcher.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { cacpd } from '../captured-terminal.ts'

interface Started extends AsyncDisposable {
  readonly process: ChildProcess & { stdout: Readable; stderr: Readable }
  readonly exited: Promise<unknown[]>
}

/** The real thing, in a process of its own. */
function spawnCli(words: readonly string[], cwd: string, variables: NodeJS.ProcessEnv = {}): Started {
  const env = { PATH: process.env['PATH'], ...variables }
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Not `exit`: what the process has printed must have arrived.
  const exited = once(child, 'close')
  return {
    process: child,
    exited,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Every line so far; resolves at the first one. */
async function linesOf(stream: Readable): Promise<string[]> {
  const lines: string[] = []
  const reader = createInterface(stream).on('line', (line) => lines.push(line))
  await once(reader, 'line')
  return lines
}

describe('cacpd start', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'says in one JSON line where it listens, and ends with 0 at %s',
    async (signal) => {
      await using folder = await folderWith({ 'package.json': '{}', 'sub/': '' })
      await using started = spawnCli(['start', '--json', '--port', '0', '--repo', 'api'], folder.path)
      const stderr = text(started.process.stderr)
      const lines = await linesOf(started.process.stdout)
      const listening = JSON.parse(lines[0] ?? '') as { url: string }
      expect(listening).toEqual({
        event: 'listening',
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        agentId: expect.stringMatching(/^aid:\/\/[^/]+\/api@1\.0\.0$/),
        repo: 'api',
        data: folder.at('.cacp'),
        pid: started.process.pid,
      })
      const status = await cacpd(['status', '--json'], { cwd: folder.at('sub') })
      expect(JSON.parse(status.out)).toMatchObject({ status: 'healthy', url: listening.url })

      started.process.kill(signal)
      expect(await started.exited).toEqual([0, null])
      expect(lines).toHaveLength(1)
      expect(await stderr).toBe('')
      expect((await cacpd(['status'], { cwd: folder.path })).err).toContain('is not running')
    },
  )

  test('greets people with what it guessed and a command to try', async () => {
    await using folder = await folderWith({ 'web/go.mod': '' })
    await using started = spawnCli(['start', '--port', '0'], folder.at('web'), { CACP_PROT: '1' })
    const stderr = text(started.process.stderr)
    const lines = await linesOf(started.process.stdout)
    started.process.kill('SIGTERM')
    expect(await started.exited).toEqual([0, null])
    expect(lines[0]).toMatch(/^cacpd listens at http:\/\/127\.0\.0\.1:\d+$/)
    expect(lines.join('\n')).toMatch(/language {2}go \(guessed\)[\s\S]+project create --name/)
    expect(await stderr).toBe('warning: CACP_PROT is no setting; the closest one is CACP_PORT\n')
  })

  test('answers what is in flight at a signal and then ends with 0, without waiting for the caller to leave', async () => {
    await using folder = await folderWith()
    await using started = spawnCli(['start', '--json', '--port', '0', '--open'], folder.path)
    const [line = ''] = await linesOf(started.process.stdout)
    const { hostname, port } = new URL((JSON.parse(line) as { url: string }).url)
    const caller = createConnection(Number(port), hostname)
    await once(caller, 'connect')
    const body = '{"jsonrpc":"2.0","id":1,"method":"cacp/project/list"}'
    const head = `POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    caller.write(head + body.slice(0, -1))
    await passing(300)
    const before = performance.now()
    started.process.kill('SIGTERM')
    await passing(300)
    caller.write(body.slice(-1))
    expect(await text(caller)).toContain('"result":{"projects":[]}')
    expect(await started.exited).toEqual([0, null])
    expect(performance.now() - before).toBeLessThan(4000)
  })

  test('ends at once with 1 when a second signal comes while it waits for a caller', async () => {
    await using folder = await folderWith()
    await using started = spawnCli(['start', '--json', '--port', '0'], folder.path)
    const [line = ''] = await linesOf(started.process.stdout)
    const { hostname, port } = new URL((JSON.parse(line) as { url: string }).url)
    const caller = createConnection(Number(port), hostname).on('error', () => {})
    await once(caller, 'connect')
    caller.write('POST / HTTP/1.1\r\n')
    started.process.kill('SIGINT')
    started.process.kill('SIGTERM')
    expect(await started.exited).toEqual([1, null])
    caller.destroy()
  })

  test('exits with 2 and one line on stderr at a bad setting', async () => {
    await using folder = await folderWith({ '.cacp/config.json': '{"prot":1}' })
    await using started = spawnCli(['start'], folder.path)
    const [out, err] = await Promise.all([text(started.process.stdout), text(started.process.stderr)])
    expect(await started.exited).toEqual([2, null])
    expect(out).toBe('')
    expect(err).toMatch(/^error: .+config\.json has the unknown key "prot"; known are .+\n$/)
  })
})
