import { execFile } from 'node:child_process'
import { chmod, symlink } from 'node:fs/promises'
import { delimiter } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ownCommand } from '../../../src/io/place/own-command.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

/** An installed package, and a folder on the path in which `cacpd` leads to it. */
async function installed(bin = 'bin'): Promise<{ folder: Folder; launcher: string; bin: string }> {
  const folder = await folderWith({ 'lib/cacpd/bin/cacpd.js': '#!/usr/bin/env node\n', [`${bin}/`]: '' })
  const launcher = folder.at('lib/cacpd/bin/cacpd.js')
  await chmod(launcher, 0o755)
  await symlink(launcher, `${folder.at(bin)}/cacpd`)
  return { folder, launcher, bin: folder.at(bin) }
}

describe('the command that runs this program', () => {
  test('is cacpd where that leads to this package', async () => {
    const { folder, launcher, bin } = await installed()
    await using _ = folder
    expect(await ownCommand({ PATH: ['/nowhere', bin].join(delimiter) }, launcher)).toEqual({
      command: 'cacpd',
      args: [],
    })
  })

  test('is node with the path of this package where there is no cacpd', async () => {
    const { folder, launcher } = await installed()
    await using _ = folder
    const byPath = { command: process.execPath, args: [launcher] }
    expect(await ownCommand({ PATH: '/nowhere' }, launcher)).toEqual(byPath)
    expect(await ownCommand({}, launcher)).toEqual(byPath)
  })

  test('is not a cacpd that is another package, even if ours comes later on the path', async () => {
    const { folder, launcher, bin } = await installed()
    await using _ = folder
    await using other = await folderWith({ cacpd: '#!/bin/sh\n' })
    await chmod(other.at('cacpd'), 0o755)
    const { command } = await ownCommand({ PATH: [other.path, bin].join(delimiter) }, launcher)
    expect(command).toBe(process.execPath)
  })

  test('is not a cacpd that only npx put on the path, nor one that is not executable, nor a relative one', async () => {
    const { folder, launcher, bin } = await installed('node_modules/.bin')
    await using _ = folder
    expect((await ownCommand({ PATH: bin }, launcher)).command).toBe(process.execPath)
    const plain = await installed()
    await using __ = plain.folder
    expect((await ownCommand({ PATH: 'bin' }, plain.launcher)).command).toBe(process.execPath)
    await chmod(plain.launcher, 0o644)
    expect((await ownCommand({ PATH: plain.bin }, plain.launcher)).command).toBe(process.execPath)
  })

  test('names a launcher that is there', async () => {
    const { args } = await ownCommand({})
    const [launcher = ''] = args
    const { stdout } = await promisify(execFile)(process.execPath, ['--check', launcher])
    expect(stdout).toBe('')
  })
})
