import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../src/protocol/text/sha256.ts'
import { recordText } from '../../src/setup/record.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import { folderState } from '../support/folders/state.ts'
import { cacpd } from './captured-terminal.ts'

const ALL = ['--agents', 'claude,codex,cursor,vscode', '--hooks']

/** What somebody cloned, and beside it what is nobody's business. */
async function cloned(files: Readonly<Record<string, string>> = {}) {
  const folder = await folderWith({
    'clone/.git/': '',
    'home/setup.json': 'theirs',
    'home/empty/': '',
    ...files,
  })
  return { ...folder, home: folder.at('home'), init: (...words: string[]) => init(folder, words) }
}

const init = (folder: Folder, words: readonly string[]) =>
  cacpd(['init', ...words], { cwd: folder.at('clone') })

describe('cacpd init in a repository that somebody else made', () => {
  test.each([
    ['AGENTS.md', 'out/new.md'],
    ['.mcp.json', 'chain'],
    ['.claude', 'out/new'],
    ['.claude', 'chain'],
  ])(
    'writes nothing elsewhere, though %s leads there over %s, which does not exist yet',
    async (name, target) => {
      await using clone = await cloned()
      await symlink('../home', clone.at('clone/out'))
      await symlink('out/further', clone.at('clone/chain'))
      await symlink(target, clone.at(`clone/${name}`))
      const before = await folderState(clone.home)
      const { exitCode, out } = await clone.init(...ALL)
      expect(exitCode).toBe(1)
      expect(out).toMatch(new RegExp(`left +${name}\\S* leads out of this repository`))
      expect(await folderState(clone.home)).toEqual(before)
      await clone.init('--remove')
      expect(await folderState(clone.home)).toEqual(before)
    },
  )

  test.each(['../home', '../home/empty', '../home/new'])(
    'neither writes nor removes anything where .cacp is a link to %s',
    async (target) => {
      await using clone = await cloned({ 'clone/AGENTS.md': '# Theirs\n' })
      await symlink(target, clone.at('clone/.cacp'))
      const before = await folderState(clone.path)
      for (const words of [ALL, ['--check'], ['--remove']]) {
        const { exitCode, err } = await clone.init(...words)
        expect(exitCode).toBe(1)
        if (words !== ALL) continue
        expect(err).toContain('.cacp')
      }
      expect(await folderState(clone.path)).toEqual(before)
    },
  )

  test('takes no record of a setup for its own that came with the files', async () => {
    const text = '# Theirs\n'
    const file = { created: true, hash: sha256(text), splices: [], made: [] }
    const record = recordText({
      version: 1,
      agents: ['claude', 'codex'],
      hooks: ['claude'],
      files: { 'AGENTS.md': file },
      folders: ['out/empty'],
    })
    await using clone = await cloned({ 'clone/AGENTS.md': text, 'clone/.cacp/setup.json': record })
    await symlink('../home', clone.at('clone/out'))
    const before = await folderState(clone.home)
    await clone.init('--remove')
    expect(await folderState(clone.home)).toEqual(before)
    expect(await folderState(clone.at('clone'))).toMatchObject({ 'AGENTS.md': expect.stringContaining(text) })

    await writeFile(clone.at('clone/.cacp/setup.json'), record)
    expect(JSON.parse((await clone.init('--agents', 'claude', '--json')).out)).toMatchObject({ hooks: [] })
  })

  test('has each file get its own text, however many set it up at once', async () => {
    await using clone = await cloned()
    await mkdir(clone.at('clone/.claude'))
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => clone.init(...ALL)))
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual(Array(12).fill(0))
    expect(await clone.init('--check')).toMatchObject({ exitCode: 0 })
  })
})
