import { readFile, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { LogFile } from '../../../src/io/background/log-file.ts'
import { folderWith } from '../../support/folder.ts'

test('a log that somebody took away when it was full goes on in a new file', async () => {
  await using folder = await folderWith()
  const log = new LogFile(folder.at('daemon.log'), folder.at('daemon.log.1'), 10)
  log.write('12345678')
  await rm(folder.at('daemon.log'))
  log.write('abcdefgh')
  log.write('ABCDEFGH')
  expect(await readFile(folder.at('daemon.log.1'), 'utf8')).toBe('abcdefgh\n')
  expect(await readFile(folder.at('daemon.log'), 'utf8')).toBe('ABCDEFGH\n')
})
