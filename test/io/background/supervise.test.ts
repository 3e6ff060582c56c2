import { readdir, readFile, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readBackground } from '../../../src/io/background/state.ts'
import { type SuperviseOptions, supervise } from '../../../src/io/background/supervise.ts'
import { RESTART_RULES } from '../../../src/setup/service/restarts.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

const QUICK = { ...RESTART_RULES, firstMillis: 1, mostMillis: 4, mostCrashes: 4 }
/** The machine may have other work. */
const PATIENT = { timeout: 20_000 }
const LISTEN = `console.log('{"event":"listening","url":"http://127.0.0.1:1","pid":1}')`

/** Something that says what a daemon says, and then does this. */
const over = (folder: Folder, script: string, options: Partial<SuperviseOptions> = {}) =>
  supervise({
    dataDir: folder.path,
    command: { program: process.execPath, words: ['-e', script], cwd: folder.path, env: {} },
    stop: new AbortController().signal,
    rules: QUICK,
    ...options,
  })

const logOf = (folder: Folder): Promise<string> => readFile(folder.at('daemon.log'), 'utf8')

describe('what watches over a daemon', () => {
  test('starts it again after crashes, and gives up with a clear line when they do not end', async () => {
    await using folder = await folderWith()
    expect(await over(folder, `${LISTEN}; setImmediate(() => { throw new Error('boom') })`)).toBe(false)
    const log = await logOf(folder)
    expect(log.match(/Error: boom/g)).toHaveLength(4)
    expect(log.match(/crashed and will be started again/g)).toHaveLength(3)
    expect(await readBackground(folder.path)).toMatchObject({
      phase: 'gave up',
      restarts: 3,
      problem: {
        message:
          'The daemon crashed 4 times in a row, each time soon after its start: The daemon ended with exit code 1',
        next: expect.stringContaining('`cacpd logs`'),
      },
    })
    expect(log.trimEnd().split('\n').at(-1)).toContain('the daemon is not started again')
  })

  test('does not start again what was refused at its first start, and keeps the reason', async () => {
    await using folder = await folderWith()
    const refusal = { message: 'Port 8080 is in use', next: 'Choose another', kind: 'failed' }
    expect(
      await over(folder, `console.log('${JSON.stringify({ error: refusal })}'); process.exitCode = 1`),
    ).toBe(false)
    expect(await readBackground(folder.path)).toMatchObject({ phase: 'gave up', problem: refusal })
  })

  test('ends with it when it is ended in order, and leaves only the log', async () => {
    await using folder = await folderWith()
    expect(await over(folder, LISTEN)).toBe(true)
    expect(await readBackground(folder.path)).toBeUndefined()
    expect(await logOf(folder)).toMatch(/the daemon listens[\s\S]+the daemon was stopped/)
  })

  test('does not start it again where its data directory was moved away, so that none begins there with nothing', async () => {
    await using folder = await folderWith({ 'repository/': '' })
    const dataDir = folder.at('repository')
    const crash = `
      const { mkdirSync, renameSync, existsSync } = require('node:fs')
      mkdirSync('${dataDir}', { recursive: true })
      ${LISTEN}
      if (!existsSync('${folder.at('moved')}')) renameSync('${dataDir}', '${folder.at('moved')}')
      process.exitCode = 1`
    expect(await over(folder, crash, { dataDir })).toBe(false)
    expect(await readdir(folder.path)).toEqual(['moved'])
  })

  test('ends it when it is told to stop, also while it waits to start it again', async () => {
    await using folder = await folderWith()
    const stop = new AbortController()
    const slow = { ...QUICK, firstMillis: 60_000, mostMillis: 60_000 }
    const ended = over(folder, `${LISTEN}; process.exitCode = 1`, { stop: stop.signal, rules: slow })
    await expect.poll(() => readBackground(folder.path), PATIENT).toMatchObject({ phase: 'waiting' })
    stop.abort()
    expect(await ended).toBe(true)
  })

  test('keeps no secret that it says, and no more of it than fits', async () => {
    await using folder = await folderWith()
    const script = `${LISTEN}; for (let n = 0; n < 400; n++) console.error('Bearer abcdefgh ' + 'x'.repeat(60))`
    expect(await over(folder, script, { mostLogBytes: 8192 })).toBe(true)
    for (const name of ['daemon.log', 'daemon.log.1']) {
      const { size, mode } = await stat(folder.at(name))
      expect(size).toBeLessThanOrEqual(8192)
      expect(mode & 0o777).toBe(0o600)
      expect(await readFile(folder.at(name), 'utf8')).not.toContain('abcdefgh')
    }
  })

  test('leaves a directory that another one watches over to that one', async () => {
    await using folder = await folderWith()
    const stop = new AbortController()
    const first = over(folder, `${LISTEN}; setInterval(() => {}, 1000)`, { stop: stop.signal })
    await expect.poll(() => readBackground(folder.path), PATIENT).toMatchObject({ phase: 'running' })
    await expect(over(folder, LISTEN)).rejects.toMatchObject({ name: 'StoreLockedError', pid: process.pid })
    stop.abort()
    expect(await first).toBe(true)
  })
})
