import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { readBackground } from '../../../src/io/background/state.ts'
import { readEndpoint } from '../../../src/io/place/data-dir.ts'
import { LAUNCHER } from '../../../src/launcher.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

/** What goes wrong when the process gets a SIGUSR2, far away from any request. */
const FAILURES = {
  throw: `throw new TypeError('broken inside, Bearer abcdefgh')`,
  reject: `Promise.reject(new TypeError('broken inside, Bearer abcdefgh'))`,
}
const MESSAGE = 'cacpd ended by an unexpected error: TypeError: broken inside, Bearer [secret]'
const PATIENT = { timeout: 30_000, interval: 100 }

/** A repository whose daemon fails like this. */
const failing = (failure: string): Promise<Folder> =>
  folderWith({ '.git/': '', 'fail.mjs': `process.on('SIGUSR2', () => { ${failure} })` })

const envIn = (folder: Folder): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: '/nowhere',
  CACP_PORT: '0',
  NODE_OPTIONS: `--import ${folder.at('fail.mjs')}`,
})

function cacpd(words: readonly string[], folder: Folder): Promise<string> {
  const options = { cwd: folder.path, env: envIn(folder) }
  return new Promise((resolve) => {
    execFile(process.execPath, [LAUNCHER, ...words], options, (_, out, err) => resolve(`${out}${err}`))
  })
}

describe('an error that nobody caught', () => {
  test.each(Object.entries(FAILURES))('is logged, told, and ends the process (%s)', async (_, failure) => {
    await using folder = await failing(failure)
    const child = spawn(process.execPath, [LAUNCHER, 'start'], { cwd: folder.path, env: envIn(folder) })
    const said = text(child.stderr)
    await once(child.stdout, 'data')
    child.kill('SIGUSR2')
    expect(await once(child, 'exit')).toEqual([1, null])
    const logged = (await said).split('\n').filter((line) => line.startsWith('{'))
    expect(logged.map((line) => JSON.parse(line)).at(-1)).toMatchObject({
      level: 60,
      err: { type: 'TypeError', stack: expect.stringContaining('broken inside') },
      msg: 'unexpected error; the process ends',
    })
    expect(await said).toContain(`error: ${MESSAGE}\nnext: `)
    expect(await said).not.toContain('abcdefgh')
  })

  test('has a daemon in the background started again, and status, logs and doctor say why', async () => {
    await using folder = await failing(FAILURES.reject)
    const dataDir = folder.at('.cacp')
    await cacpd(['up', '-d'], folder)
    try {
      const before = await readEndpoint(dataDir)
      process.kill(before?.pid ?? 0, 'SIGUSR2')
      await expect
        .poll(() => readBackground(dataDir), PATIENT)
        .toMatchObject({ phase: 'running', restarts: 1 })
      expect(await cacpd(['status'], folder)).toContain(`; started again once: ${MESSAGE})`)
      expect(JSON.parse(await cacpd(['status', '--json'], folder))).toMatchObject({
        status: 'healthy',
        background: { restarts: 1, lastCrash: { message: MESSAGE } },
      })
      expect(await cacpd(['doctor'], folder)).toContain(
        `It crashed and was started again, once so far; the last time: ${MESSAGE}`,
      )
      const logs = await cacpd(['logs'], folder)
      expect(logs).toContain('TypeError: broken inside, Bearer [secret]')
      expect(logs).toContain('the daemon crashed and will be started again')
    } finally {
      await cacpd(['down'], folder)
    }
  }, 60_000)
})
