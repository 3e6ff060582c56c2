import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/io/store/open-store.ts'
import { systemClock } from '../../../src/io/system/clock.ts'

test("a store is never laid out among somebody's own files", async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cacpd-foreign-'))
  await writeFile(join(directory, 'thesis.txt'), 'years of work')
  await expect(openStore({ directory, clock: systemClock })).rejects.toThrow(`${directory} holds other files`)
  expect(await readdir(directory)).toEqual(['thesis.txt'])
  await rm(directory, { recursive: true })
})

test('what lies among the files of a store and is not its own stays there', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cacpd-foreign-'))
  await mkdir(join(directory, 'files'))
  await writeFile(join(directory, 'files', 'photo.jpg'), 'a face')
  await writeFile(join(directory, 'files', 'incoming-7.tmp'), 'half')
  const { store } = await openStore({ directory, clock: systemClock })
  await store[Symbol.asyncDispose]()
  expect(await readdir(join(directory, 'files'))).toEqual(['photo.jpg'])
  await rm(directory, { recursive: true })
})

test.each(['files', 'journal.1', 'audit-1.ndjson', 'state.json', 'runs', 'lock'])(
  'nothing is written through a link in its place of %s',
  async (name) => {
    const directory = await mkdtemp(join(tmpdir(), 'cacpd-foreign-'))
    await mkdir(join(directory, 'data'))
    await mkdir(join(directory, 'theirs'))
    await symlink('../theirs', join(directory, 'data', name))
    await expect(openStore({ directory: join(directory, 'data'), clock: systemClock })).rejects.toThrow(
      `${name} is a link`,
    )
    expect(await readdir(join(directory, 'data'))).toEqual([name])
    await rm(directory, { recursive: true })
  },
)
