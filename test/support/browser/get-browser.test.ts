import { spawnSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { folderWith } from '../folders/folder.ts'

const SCRIPT = new URL('./get-browser.ts', import.meta.url).pathname

/** A machine whose only commands are these, asked for a browser. */
async function getBrowser(apt: string, env: Record<string, string> = {}) {
  await using folder = await folderWith({ 'bin/apt-get': `#!/bin/sh\n${apt}\n` })
  await chmod(folder.at('bin/apt-get'), 0o755)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', SCRIPT], {
    env: { PATH: folder.at('bin'), HOME: folder.path, BIN: folder.at('bin'), ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const INSTALLS = `case "$*" in *install*chromium) printf '#!' > "$BIN/chromium"; /bin/chmod +x "$BIN/chromium";; esac`

test.skipIf(process.getuid?.() !== 0)('root installs the browser that is missing', async () => {
  expect(await getBrowser(INSTALLS)).toEqual({
    status: 0,
    stdout: 'installing chromium for the browser tests\n',
    stderr: '',
  })
})

test.skipIf(process.getuid?.() !== 0)('an installation that fails fails the run, and says why', async () => {
  const apt = `case "$*" in *install*) echo 'no such package' >&2; exit 100;; esac`
  expect(await getBrowser(apt)).toMatchObject({
    status: 1,
    stderr: 'chromium could not be installed: apt-get install failed\nno such package\n\n',
  })
})

test('nothing is said or done where there is a browser', async () => {
  const env = { CACPD_TEST_BROWSER: process.execPath }
  expect(await getBrowser('exit 100', env)).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('a browser that is named but is not there fails the run', async () => {
  const named = `${import.meta.dirname}/no-such-program`
  const reply = await getBrowser('exit 100', { CACPD_TEST_BROWSER: named })
  expect(reply).toMatchObject({ status: 1, stderr: expect.stringContaining(`CACPD_TEST_BROWSER=${named}`) })
})
