import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { folderWith } from '../support/folders/folder.ts'
import { cacpd } from './captured-terminal.ts'

describe('a mistake at the command line', () => {
  test.each([
    [['contract', 'propose', '--project-idd', 'x', '--type', 'custom'], '--project-idd', '--project-id'],
    [['supervise', '--dat', 'x'], '--dat', '--data'],
  ])('is told of an option that is mistyped, and not only missing: %j', async (words, wrong, right) => {
    expect(await cacpd(words)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(`^error: unknown option '${wrong}'\n\\(Did you mean .*${right}`),
    })
  })

  test('is told of an option that is only missing', async () => {
    expect((await cacpd(['contract', 'propose', '--type', 'custom'])).err).toContain('--name')
  })

  test.each([['status'], ['start'], ['up', '-d']])(
    'is told that -C names no folder, before `cacpd %s` does anything',
    async (...words) => {
      await using folder = await folderWith()
      const nowhere = folder.at('nowhere')
      expect(await cacpd(['-C', nowhere, ...words])).toEqual({
        exitCode: 2,
        out: '',
        err: `error: -C: there is no folder ${nowhere}\nnext: Name one that exists\n`,
      })
    },
  )

  test('is told how to end the daemon that has the data directory already', async () => {
    await using running = await daemon()
    const { exitCode, err } = await cacpd(['start'], { cwd: dirname(running.dataDir) })
    expect(exitCode).toBe(1)
    expect(err).toContain(
      `${running.dataDir} is in use by process ${process.pid}. Stop that daemon with \`cacpd down\``,
    )
  })

  test('is told what to do where nothing was built yet', async () => {
    await using folder = await folderWith({ 'bin/': '', 'package.json': '{"type":"module"}' })
    const launcher = folder.at('bin/cacpd.js')
    await cp(new URL('../../bin/cacpd.js', import.meta.url), launcher)
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, [launcher, 'demo'], (error, out, err) =>
        resolve({ code: error?.code, out, err }),
      )
    })
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: 'error: cacpd has not been built yet\nnext: npm install && npm run build, in its folder\n',
    })
  })
})
