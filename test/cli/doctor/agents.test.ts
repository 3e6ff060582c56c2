import { readFile, rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { checkAgents } from '../../../src/cli/doctor/agents.ts'
import { LAUNCHER } from '../../../src/launcher.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { folderState } from '../../support/folders/state.ts'
import { cacpd } from '../captured-terminal.ts'

/** As somebody else committed it, on whose machine cacpd lies elsewhere. */
async function shared(...setups: readonly (readonly string[])[]): Promise<Folder> {
  const folder = await folderWith({ '.git/': '' })
  for (const words of setups) await cacpd(['init', ...words], { cwd: folder.path })
  await rm(folder.at('.cacp'), { recursive: true })
  for (const [path, kept] of Object.entries(await folderState(folder.path))) {
    const text = kept.slice('644 '.length).replaceAll(LAUNCHER, '/elsewhere/bin/cacpd.js')
    if (!path.endsWith('/')) await writeFile(folder.at(path), text, 'latin1')
  }
  return folder
}

const patient = ({ path }: Folder) => ({
  place: { dataDir: `${path}/.cacp`, cwd: path },
  daemon: undefined,
  terminal: {
    cwd: path,
    env: {},
    self: 'cacpd',
    colour: false,
    width: 80,
    print: () => {},
    complain: () => {},
    readInput: async () => '',
  },
})

async function repaired(folder: Folder) {
  const found = await checkAgents(patient(folder))
  for (const { repair } of found) await repair?.()
  return checkAgents(patient(folder))
}

test('hooks of another machine are put right where not every agent has them', async () => {
  await using folder = await shared(['--agents', 'claude', '--hooks'], ['--agents', 'codex'])
  expect(await repaired(folder)).toMatchObject([
    { verdict: 'ok', message: 'Set up for claude, codex, with hooks' },
  ])
  expect(await readFile(folder.at('.claude/settings.json'), 'utf8')).not.toContain('/elsewhere/')
  expect(await folderState(folder.path)).not.toHaveProperty(['.codex/hooks.json'])
})

test('a repository in which there is only the block of AGENTS.md gets that, and no agent that nobody chose', async () => {
  await using folder = await folderWith({
    '.git/': '',
    'AGENTS.md': '<!-- BEGIN CACP INTEGRATION v1 hash:0 -->\nold\n<!-- END CACP INTEGRATION -->\n',
  })
  expect(await repaired(folder)).toMatchObject([{ verdict: 'ok' }])
  expect(await readFile(folder.at('AGENTS.md'), 'utf8')).toContain('## Other repositories')
  expect(Object.keys(await folderState(folder.path)).filter((path) => !path.startsWith('.cacp'))).toEqual([
    'AGENTS.md',
  ])
})

test('what cannot be put right is not said to be', async () => {
  await using folder = await shared(['--agents', 'claude'])
  await writeFile(folder.at('.mcp.json'), '{ "mcpServers": { "cacp": ')
  await rm(folder.at('AGENTS.md'))
  const [repair] = (await checkAgents(patient(folder))).flatMap((found) => found.repair ?? [])
  await expect(repair?.()).rejects.toThrow('.mcp.json')
})
