import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLogFile } from '../../../src/io/background/log-file.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { hasSmallDisks, smallDisk } from '../../support/simulated/small-disk.ts'

test('a log that somebody took away when it was full goes on in a new file', async () => {
  await using folder = await folderWith()
  const log = openLogFile(folder.at('daemon.log'), folder.at('daemon.log.1'), 10)
  log.write('12345678')
  await rm(folder.at('daemon.log'))
  log.write('abcdefgh')
  log.write('ABCDEFGH')
  expect(await readFile(folder.at('daemon.log.1'), 'utf8')).toBe('abcdefgh\n')
  expect(await readFile(folder.at('daemon.log'), 'utf8')).toBe('ABCDEFGH\n')
})

test.skipIf(!hasSmallDisks)(
  'what a full disk does not take is in the log as soon as there is room (needs root and mount)',
  async () => {
    using disk = smallDisk(1)
    const path = join(disk.path, 'daemon.log')
    const log = openLogFile(path, `${path}.1`)
    log.write('before')
    disk.fill()
    const lines = Array.from({ length: 5 }, (_, number) => `${number} `.repeat(700).trimEnd())
    for (const line of lines) log.write(line)
    disk.free()
    log.write('after')
    const kept = (await readFile(path, 'utf8')).split('\n')
    expect(kept).toEqual(expect.arrayContaining(['before', ...lines, 'after']))
  },
)
