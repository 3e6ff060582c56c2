import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rename } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { LAUNCHER } from '../../src/launcher.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import { cacpd } from './captured-terminal.ts'

const FILES = { 'repo/.git/HEAD': 'ref: refs/heads/main\n', 'repo/package.json': '{}' }

/** `cacpd start` in the repository: ends it as soon as it listens, and answers its line, or why it did not start. */
async function start({ at }: Folder, ...flags: string[]) {
  const words = [LAUNCHER, 'start', '--json', '--port', '0', ...flags]
  const child = spawn(process.execPath, words, {
    cwd: at('repo'),
    env: { PATH: process.env['PATH'], HOME: at('') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const said = text(child.stderr)
  const [line] = await once(createInterface(child.stdout), 'line')
  const answer = JSON.parse(String(line))
  if (answer.event === 'listening') child.kill('SIGTERM')
  const [exitCode] = await ended
  return { exitCode, said: await said, ...answer }
}

test('a repository whose data directory was moved gets no empty one without a word, by whatever command', async () => {
  await using folder = await folderWith(FILES)
  const first = await start(folder)
  expect(first).toMatchObject({ event: 'listening', exitCode: 0, said: '' })
  await rename(folder.at('repo/.cacp'), folder.at('kept'))

  const refused = await start(folder)
  expect(refused.exitCode).toBe(1)
  expect(refused.error.message).toContain(`(${first.agentId}) was in ${folder.at('repo/.cacp')}`)
  expect(refused.error.next).toMatch(/--data DIR.*--new-data/)
  const place = { cwd: folder.at('repo') }
  for (const words of [['up', '-d'], ['up'], ['doctor'], ['status'], ['inbox']]) {
    const { exitCode, out, err } = await cacpd(words, place)
    expect({ exitCode, said: out + err }).toEqual({
      exitCode: 1,
      said: expect.stringContaining('it was moved or removed'),
    })
  }
  expect(await readdir(folder.at('repo'))).not.toContain('.cacp')

  expect(await start(folder, '--data', folder.at('kept'))).toMatchObject({ agentId: first.agentId, said: '' })
  expect((await start(folder)).error.next).toContain(`--data ${folder.at('kept')}`)
  const asked = await cacpd(['inbox'], place)
  expect(asked.err).toContain(`The daemon of ${folder.at('kept')} is not running`)
  expect(await cacpd(['down'], place)).toMatchObject({ out: `No daemon runs for ${folder.at('kept')}\n` })
}, 60_000)

test('a repository whose data directory is gone begins anew where that is said, once', async () => {
  await using folder = await folderWith(FILES)
  await start(folder)
  await rename(folder.at('repo/.cacp'), folder.at('gone'))
  expect(await start(folder, '--new-data')).toMatchObject({
    event: 'listening',
    data: folder.at('repo/.cacp'),
  })
  expect(await start(folder)).toMatchObject({ event: 'listening' })
  await rename(folder.at('repo/.cacp'), folder.at('gone too'))
  await rename(folder.at('gone'), folder.at('repo/.cacp'))
  expect((await start(folder)).error.message).toContain('holds another store')
}, 60_000)
