import { chmod, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { browserCommand, openBrowser } from '../../../src/io/ui/open-browser.ts'
import { folderWith } from '../../support/folders/folder.ts'

const SSH = { SSH_CONNECTION: '192.0.2.7 50123 192.0.2.1 22' }
const WINDOWS = ['rundll32.exe', 'url.dll,FileProtocolHandler']

test.each([
  { env: {}, platform: 'darwin', command: ['open'] },
  { env: {}, platform: 'win32', command: WINDOWS },
  { env: { WSL_DISTRO_NAME: 'Debian' }, platform: 'linux', command: WINDOWS },
  { env: { DISPLAY: ':0' }, platform: 'linux', command: ['xdg-open'] },
  { env: { WAYLAND_DISPLAY: 'wayland-0' }, platform: 'linux', command: ['xdg-open'] },
  { env: {}, platform: 'linux', command: undefined },
  { env: { ...SSH, DISPLAY: ':0' }, platform: 'linux', command: undefined },
  { env: SSH, platform: 'darwin', command: undefined },
  { env: { ...SSH, BROWSER: '/opt/open' }, platform: 'linux', command: ['/opt/open'] },
] as const)('at $platform with $env the browser is opened by $command', ({ env, platform, command }) => {
  expect(browserCommand(env, platform)).toEqual(command)
})

/** A program that stands in for the browser. */
async function browser(script: string) {
  const folder = await folderWith({ 'browser.sh': `#!/bin/sh\n${script}\n` })
  const path = folder.at('browser.sh')
  await chmod(path, 0o755)
  return { path, folder }
}

test('the program gets the address as it is, and no shell reads it', async () => {
  const { path, folder } = await browser('printf %s "$1" > "$OUT"')
  const url = "http://127.0.0.1:8080/ui/#c=$(touch x)';echo&a=b"
  const OUT = folder.at('opened')
  expect(await openBrowser(url, { BROWSER: path, OUT, PATH: process.env['PATH'] })).toBe(true)
  expect(await readFile(OUT, 'utf8')).toBe(url)
  await folder[Symbol.asyncDispose]()
})

test('a program that fails or is not there has opened nothing', async () => {
  const { path, folder } = await browser('exit 3')
  const PATH = process.env['PATH']
  expect(await openBrowser('http://127.0.0.1/', { BROWSER: path, PATH })).toBe(false)
  expect(await openBrowser('http://127.0.0.1/', { BROWSER: folder.at('missing'), PATH })).toBe(false)
  await folder[Symbol.asyncDispose]()
})
