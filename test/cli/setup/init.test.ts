import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { type Folder, folderWith } from '../../support/folders/folder.ts'
import { folderState } from '../../support/folders/state.ts'
import { cacpd } from '../captured-terminal.ts'

const ALL = ['--agents', 'claude,codex,cursor,vscode', '--hooks']
const PATHS = [
  '.cacp/config.json',
  '.mcp.json',
  '.codex/config.toml',
  '.cursor/mcp.json',
  '.vscode/mcp.json',
  'AGENTS.md',
  'CLAUDE.md',
  '.claude/skills/cacp/SKILL.md',
  '.agents/skills/cacp/SKILL.md',
  '.claude/settings.json',
  '.codex/hooks.json',
  '.cursor/hooks.json',
]

/** Everything that can be there already, as people leave it. */
const LIVED_IN = {
  'package.json': '{"dependencies":{"express":"5"}}',
  'AGENTS.md': '\uFEFF# How we work\r\n\r\n- tabs\r\n',
  'CLAUDE.md': '# Claude',
  '.mcp.json': '{\n\t// ours\n\t"mcpServers": {\n\t\t"db": { "command": "db" }, /* slow */\n\t},\n}',
  '.codex/config.toml': 'model = "o"   # best\r\n[mcp_servers.db]\r\ncommand = "db"',
  '.cursor/mcp.json': '{"mcpServers":{"db":{"url":"http://db"}}}',
  '.vscode/mcp.json': '   {\n      "inputs": [],\n      "servers": {}\n   }\n\n\n',
  '.vscode/settings.json': '{}',
  '.claude/settings.json':
    '{\n  "env": {"TOKEN": "their-secret"},\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]\n  }\n}\n',
  '.claude/skills/mine/SKILL.md': 'mine\n',
  '.codex/hooks.json': '',
  '.cursor/hooks.json':
    '{\r\n  "version": 1,\r\n  "hooks": { "stop": [ { "command": "x" } ] } // end\r\n}\r\n',
}

const run = promisify(execFile)

async function git(folder: Folder, ...words: string[]): Promise<string> {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'core.autocrlf=false']
  return (await run('git', [...who, ...words], { cwd: folder.path })).stdout
}

async function repository(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const folder = await folderWith(files)
  await git(folder, 'init', '-q')
  await git(folder, 'add', '-A')
  await git(folder, 'commit', '-q', '--allow-empty', '-m', 'before')
  return folder
}

const init = (folder: Folder, ...words: string[]) => cacpd(['init', ...words], { cwd: folder.path })

const textOf = (folder: Folder, path: string) => readFile(folder.at(path), 'utf8')

describe('cacpd init', () => {
  test.each([
    ['that is empty', {}],
    ['in which people have all of these files already', LIVED_IN],
  ])('can be checked, repeated and undone to the byte in a repository %s', async (_what, files) => {
    await using folder = await repository(files)
    await chmodAll(folder, files)
    const before = await folderState(folder.path)

    const dry = await init(folder, ...ALL, '--dry-run')
    expect(dry).toMatchObject({ exitCode: 0, err: '' })
    expect(await folderState(folder.path)).toEqual(before)

    expect(await init(folder, ...ALL)).toMatchObject({ exitCode: 0, err: '' })
    const after = await folderState(folder.path)
    for (const path of PATHS.filter((one) => one !== 'CLAUDE.md' || one in files))
      expect(after).toHaveProperty([path])
    expect(await git(folder, 'status', '--short')).not.toContain('.cacp')

    expect(await init(folder, '--check')).toMatchObject({ exitCode: 0, err: '' })
    const again = await init(folder)
    expect(again).toMatchObject({ exitCode: 0, err: '' })
    expect(again.out).toContain('Nothing to do')
    expect(await init(folder, ...ALL)).toMatchObject({ exitCode: 0 })
    expect(await folderState(folder.path)).toEqual(after)

    expect(await init(folder, '--remove', '--dry-run')).toMatchObject({ exitCode: 0, err: '' })
    expect(await folderState(folder.path)).toEqual(after)
    expect(await init(folder, '--remove')).toMatchObject({ exitCode: 0, err: '' })
    expect(await folderState(folder.path)).toEqual(before)
    expect(await git(folder, 'status', '--short', '--ignored')).toBe('')
    expect((await init(folder, '--check')).exitCode).toBe(1)
  })

  test('writes what each client documents, without a key or a port', async () => {
    await using folder = await repository({ 'CLAUDE.md': '# C\n' })
    await init(folder, ...ALL)
    const [command, script] = [process.execPath, expect.stringMatching(/bin\/cacpd\.js$/)]
    const json = async (path: string) => JSON.parse(await textOf(folder, path))
    expect(await json('.mcp.json')).toEqual({ mcpServers: { cacp: { command, args: [script, 'mcp'] } } })
    expect(await json('.cursor/mcp.json')).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor fills it in
      mcpServers: { cacp: { command, args: [script, '-C', '${workspaceFolder}', 'mcp'] } },
    })
    expect(await json('.vscode/mcp.json')).toEqual({
      servers: { cacp: { type: 'stdio', command, args: [script, 'mcp'] } },
    })
    expect(parseToml(await textOf(folder, '.codex/config.toml'))).toEqual({
      mcp_servers: {
        cacp: { command, args: [script, 'mcp'], startup_timeout_sec: 20, tool_timeout_sec: 300 },
      },
    })
    for (const [path, agent] of [
      ['.claude/settings.json', 'claude'],
      ['.codex/hooks.json', 'codex'],
    ] as const) {
      const hook = (event: string) => ({
        hooks: [
          {
            type: 'command',
            command: expect.stringMatching(`cacpd.js hook ${agent} ${event}$`),
            timeout: 10,
          },
        ],
      })
      expect(await json(path)).toEqual({
        hooks: {
          SessionStart: [{ matcher: 'startup|resume|clear|compact', ...hook('SessionStart') }],
          UserPromptSubmit: [hook('UserPromptSubmit')],
          Stop: [hook('Stop')],
        },
      })
    }
    expect(await json('.cursor/hooks.json')).toEqual({
      version: 1,
      hooks: {
        sessionStart: [{ command: expect.stringMatching(/cacpd\.js hook cursor sessionStart$/) }],
        stop: [{ command: expect.stringMatching(/cacpd\.js hook cursor stop$/), loop_limit: 5 }],
      },
    })
    expect(await textOf(folder, 'CLAUDE.md')).toBe('# C\n\n@AGENTS.md\n')
    for (const path of PATHS)
      expect(await textOf(folder, path)).not.toMatch(/cacp_(op|sk)|Bearer|127\.0\.0\.1|:\d{4,5}\b/)
  })

  test('names cacpd where that is this program, and says that paths are not for sharing where it is not', async () => {
    await using folder = await repository()
    await using bin = await folderWith()
    const launcher = new URL('../../../bin/cacpd.js', import.meta.url).pathname
    await symlink(launcher, bin.at('cacpd'))
    const installed = await cacpd(['init', ...ALL], { cwd: folder.path, env: { PATH: bin.path } })
    expect(installed.out).not.toContain('paths of this machine')
    expect(JSON.parse(await textOf(folder, '.mcp.json')).mcpServers.cacp).toEqual({
      command: 'cacpd',
      args: ['mcp'],
    })
    expect(await textOf(folder, '.claude/settings.json')).toContain('"cacpd hook claude Stop"')

    const moved = await init(folder)
    expect(moved.out).toContain('paths of this machine')
    expect(JSON.parse(await textOf(folder, '.mcp.json')).mcpServers.cacp.command).toBe(process.execPath)
    expect(await textOf(folder, '.claude/settings.json')).not.toContain('"cacpd hook')
    await init(folder, '--remove')
    expect(await folderState(folder.path)).toEqual({})
  })

  test('says what Codex wants to be trusted', async () => {
    await using folder = await repository()
    expect((await init(folder, '--agents', 'codex', '--hooks')).out).toMatch(
      /trusted each of them in \/hooks/,
    )
  })

  test('fixes the name that it guessed, and leaves settings that are there', async () => {
    await using guessed = await repository({ 'package.json': '{"dependencies":{"express":"5"}}' })
    await init(guessed)
    expect(JSON.parse(await textOf(guessed, '.cacp/config.json'))).toEqual({
      repo: expect.stringMatching(/^cacpd-folder-/),
      role: 'backend',
      language: 'javascript',
    })
    await using given = await repository({ '.cacp/config.json': '{ "repo": "shop" }' })
    const before = await folderState(given.path)
    await init(given)
    expect(await textOf(given, '.cacp/config.json')).toBe('{ "repo": "shop" }')
    await init(given, '--remove')
    expect({ ...(await folderState(given.path)), '.cacp/.gitignore': undefined }).toEqual(before)
  })
})

/** Their modes are kept too. */
async function chmodAll(folder: Folder, files: Readonly<Record<string, string>>): Promise<void> {
  for (const path of Object.keys(files)) await chmod(folder.at(path), path.endsWith('.toml') ? 0o600 : 0o664)
}

describe('the agents that are set up', () => {
  test.each([
    [{}, 'Claude Code (others: --agents claude,codex,cursor,vscode)'],
    [{ 'AGENTS.md': 'x\n', '.cursor/': '' }, 'Codex, Cursor (others'],
    [{ 'CLAUDE.md': 'x\n', '.github/copilot-instructions.md': 'x\n' }, 'Claude Code, VS Code (others'],
  ])('are those that left traces: %j', async (files, told) => {
    await using folder = await repository(files)
    expect((await init(folder, '--dry-run')).out.split('\n')[0]).toContain(`, for ${told}`)
  })

  test('are also those that are installed', async () => {
    await using folder = await repository()
    await using bin = await folderWith({ codex: '' })
    await chmod(bin.at('codex'), 0o755)
    const { out } = await cacpd(['init', '--dry-run', '--json'], {
      cwd: folder.path,
      env: { PATH: bin.path },
    })
    expect(JSON.parse(out).agents).toEqual(['codex'])
  })

  test('add up over several runs, and all go at once', async () => {
    await using folder = await repository()
    await init(folder, '--agents', 'claude')
    await init(folder, '--agents', 'codex', '--hooks')
    expect(await init(folder, '--check')).toMatchObject({ exitCode: 0 })
    const { out } = await init(folder, '--json')
    expect(JSON.parse(out)).toMatchObject({ agents: ['claude', 'codex'], hooks: ['codex'] })
    await init(folder, '--remove')
    expect(await folderState(folder.path)).toEqual({})
  })
})

describe('links', () => {
  test('from CLAUDE.md to AGENTS.md make them one file', async () => {
    await using folder = await repository({ 'AGENTS.md': '# Both\n' })
    await symlink('AGENTS.md', folder.at('CLAUDE.md'))
    const before = await folderState(folder.path)
    expect(await init(folder, ...ALL)).toMatchObject({ exitCode: 0 })
    expect(await textOf(folder, 'CLAUDE.md')).not.toContain('@AGENTS.md')
    await init(folder, '--remove')
    expect(await folderState(folder.path)).toEqual(before)
  })

  test('that lead to nothing yet, and folders that are one, are followed', async () => {
    await using folder = await repository({ '.claude/skills/': '' })
    await symlink('AGENTS.md', folder.at('CLAUDE.md'))
    await mkdir(folder.at('.agents'))
    await symlink('../.claude/skills', folder.at('.agents/skills'))
    const before = await folderState(folder.path)
    expect(await init(folder, ...ALL)).toMatchObject({ exitCode: 0 })
    expect(await init(folder, '--check')).toMatchObject({ exitCode: 0 })
    await init(folder, '--remove')
    expect(await folderState(folder.path)).toEqual(before)
  })

  test('out of the repository are not', async () => {
    await using elsewhere = await folderWith({ 'AGENTS.md': '# Mine\n' })
    await using folder = await repository()
    await symlink(elsewhere.at('AGENTS.md'), folder.at('AGENTS.md'))
    const { exitCode, out } = await init(folder)
    expect(exitCode).toBe(1)
    expect(out).toMatch(/AGENTS\.md leads out of this repository/)
    expect(await textOf(elsewhere, 'AGENTS.md')).toBe('# Mine\n')
  })
})

describe('what cannot be used', () => {
  test('is left as it is and told with the lines to paste, and all else is done', async () => {
    const broken = { '.mcp.json': '{ "mcpServers": {', '.codex/config.toml': 'model = ', 'AGENTS.md': 'x\n' }
    await using folder = await repository(broken)
    const { exitCode, out, err } = await init(folder, '--agents', 'claude,codex')
    expect(exitCode).toBe(1)
    expect(err).toContain('.mcp.json, .codex/config.toml')
    expect(out).toMatch(/left +\.mcp\.json is not valid JSON \(line 1\)[\s\S]+"mcpServers": \{[\s\S]+"cacp"/)
    expect(out).toMatch(
      /left +\.codex\/config\.toml is not valid TOML \(line 1\)[\s\S]+\[mcp_servers\.cacp\]/,
    )
    expect(await textOf(folder, '.mcp.json')).toBe(broken['.mcp.json'])
    expect(await textOf(folder, '.codex/config.toml')).toBe(broken['.codex/config.toml'])
    expect(await textOf(folder, 'AGENTS.md')).toContain('BEGIN CACP INTEGRATION')

    const check = await init(folder, '--check')
    expect(check).toMatchObject({ exitCode: 1 })
    expect(check.out).toContain('.mcp.json is not valid JSON')
    expect(check.err).toMatch(/next: Mend what is said above, and run `cacpd init`/)
    // What was left alone asks nobody for anything.
    expect(out).not.toMatch(/asks once|told to trust/)
    expect(await init(folder, '--remove')).toMatchObject({ exitCode: 0 })
    expect(await git(folder, 'status', '--short', '--ignored')).toBe('')
  })

  test.each([
    ['a folder', (folder: Folder) => mkdir(folder.at('.mcp.json')), 'is not a file'],
    [
      'not text',
      (folder: Folder) => writeFile(folder.at('.mcp.json'), Buffer.from([0xff, 0xfe, 0])),
      'is not UTF-8',
    ],
    [
      'far too long',
      (folder: Folder) => writeFile(folder.at('.mcp.json'), ' '.repeat(2 ** 20 + 1)),
      'is larger than 1 MiB',
    ],
    [
      'a link to itself',
      (folder: Folder) => symlink('.mcp.json', folder.at('.mcp.json')),
      'is a link that leads to itself',
    ],
  ])('is also a file that is %s', async (_what, make, told) => {
    await using folder = await repository()
    await make(folder)
    const { exitCode, out } = await init(folder, '--agents', 'claude')
    expect(exitCode).toBe(1)
    expect(out).toMatch(new RegExp(`\\.mcp\\.json ${told}`))
    expect(out).toMatch(/created +AGENTS\.md/)
  })

  test('is also a folder that is a file: of one agent, or the one where all is remembered', async () => {
    await using folder = await repository({ '.claude': 'x' })
    const { exitCode, out } = await init(folder, '--agents', 'claude')
    expect(exitCode).toBe(1)
    expect(out).toMatch(/\.claude\/skills\/cacp\/SKILL\.md cannot be there: one of its folders is a file/)
    await using other = await repository({ '.cacp': 'x' })
    const before = await folderState(other.path)
    const refused = await init(other)
    expect(refused).toMatchObject({ exitCode: 1, out: '' })
    expect(refused.err).toMatch(/Nothing was set up: \.cacp in .+ one of its folders is a file\nnext: /)
    expect(await folderState(other.path)).toEqual(before)
  })

  test('is also what is no git repository, unless one says so', async () => {
    await using folder = await folderWith({ 'sub/': '' })
    const refused = await init(folder)
    expect(refused.exitCode).toBe(1)
    expect(refused.err).toMatch(/is in no git repository\nnext: .*git init.*--here/)
    expect(await init(folder, '--here')).toMatchObject({ exitCode: 0 })
    expect(await init(folder, '--remove', '--here')).toMatchObject({ exitCode: 0 })
    expect(await folderState(folder.path)).toEqual({ 'sub/': '755' })
  })

  test.each([
    [['--agents', 'claude,emacs'], /"emacs" is none of claude, codex, cursor, vscode/],
    [['--agents', ''], /"" is none of/],
    [['--check', '--remove'], /--check only looks/],
    [['--remove', '--agents', 'claude'], /--remove takes out everything/],
  ])('on the command line is %j', async (words, told) => {
    await using folder = await repository()
    const { exitCode, err } = await init(folder, ...words)
    expect(exitCode).toBe(2)
    expect(err).toMatch(told)
  })
})

describe('a crash on the way', () => {
  test('after any of the files can be completed, and can be undone to the byte', async () => {
    await using folder = await repository(LIVED_IN)
    const before = await folderState(folder.path)
    await init(folder, ...ALL)
    const after = await folderState(folder.path)
    const done = new Map<string, string>()
    for (const path of [...PATHS, '.cacp/setup.json', '.cacp/.gitignore'])
      done.set(path, await textOf(folder, path))

    await init(folder, '--remove')

    for (const count of PATHS.keys()) {
      await mkdir(folder.at('.cacp'), { mode: 0o700 })
      for (const path of ['.cacp/.gitignore', '.cacp/setup.json', ...PATHS.slice(0, count)]) {
        await mkdir(dirname(folder.at(path)), { recursive: true })
        await writeFile(
          folder.at(path),
          done.get(path) ?? '',
          path.endsWith('setup.json') ? { mode: 0o600 } : {},
        )
      }
      await writeFile(folder.at('.cacp/setup.tmp'), 'half')
      if (count % 2 === 0) {
        expect(await init(folder)).toMatchObject({ exitCode: 0 })
        expect(await folderState(folder.path)).toEqual(after)
      }
      expect(await init(folder, '--remove')).toMatchObject({ exitCode: 0 })
      expect(await folderState(folder.path)).toEqual(before)
    }
  })
})

describe('what people do in between', () => {
  test('stays, and only what is ours goes', async () => {
    await using folder = await repository({ 'AGENTS.md': '# Rules\n', 'CLAUDE.md': '# C\n' })
    await init(folder, ...ALL)
    await append(folder, 'AGENTS.md', '\n## After\n')
    await append(folder, 'CLAUDE.md', 'more\n')
    await append(folder, '.codex/config.toml', '\n[mcp_servers.db]\ncommand = "db"\n')
    const mcp = JSON.parse(await textOf(folder, '.mcp.json'))
    mcp.mcpServers.db = { command: 'db' }
    await writeFile(folder.at('.mcp.json'), JSON.stringify(mcp))
    const settings = JSON.parse(await textOf(folder, '.claude/settings.json'))
    await writeFile(
      folder.at('.claude/settings.json'),
      `// mine\n${JSON.stringify({ ...settings, model: 'm' }, null, 4)}`,
    )
    await rm(folder.at('.cursor/mcp.json'))
    await writeFile(folder.at('.vscode/notes.txt'), 'keep')
    await writeFile(
      folder.at('.cursor/hooks.json'),
      JSON.stringify(JSON.parse(await textOf(folder, '.cursor/hooks.json'))),
    )

    const { exitCode, out } = await init(folder, '--remove')
    expect(exitCode).toBe(0)
    expect(out).toContain('somebody changed the file since')
    expect(await textOf(folder, 'AGENTS.md')).toBe('# Rules\n\n## After\n')
    expect(await textOf(folder, 'CLAUDE.md')).toBe('# C\nmore\n')
    expect(await textOf(folder, '.codex/config.toml')).toBe('\n[mcp_servers.db]\ncommand = "db"\n')
    expect(JSON.parse(await textOf(folder, '.mcp.json'))).toEqual({ mcpServers: { db: { command: 'db' } } })
    expect(parseJsonc(await textOf(folder, '.claude/settings.json'))).toEqual({ model: 'm' })
    expect(await textOf(folder, '.claude/settings.json')).toContain('// mine')
    expect(Object.keys(await folderState(folder.path)).sort()).toEqual([
      '.claude/',
      '.claude/settings.json',
      '.codex/',
      '.codex/config.toml',
      '.mcp.json',
      '.vscode/',
      '.vscode/notes.txt',
      'AGENTS.md',
      'CLAUDE.md',
    ])
  })

  test('to our own skill is theirs: it is left, said, and remembered', async () => {
    await using folder = await repository()
    await init(folder, '--agents', 'claude')
    await append(folder, '.claude/skills/cacp/SKILL.md', 'my notes\n')
    const { exitCode, err } = await init(folder, '--remove')
    expect(exitCode).toBe(1)
    expect(err).toContain('.claude/skills/cacp/SKILL.md')
    await rm(folder.at('.claude/skills/cacp/SKILL.md'))
    expect(await init(folder, '--remove')).toMatchObject({ exitCode: 0 })
    expect(await folderState(folder.path)).toEqual({})
  })

  test('a daemon that began to keep its state there keeps it, hidden from git', async () => {
    await using folder = await repository()
    await init(folder)
    await writeFile(folder.at('.cacp/IDENT'), '{}')
    await init(folder, '--remove')
    expect(Object.keys(await folderState(folder.path))).toEqual(['.cacp/', '.cacp/.gitignore', '.cacp/IDENT'])
    expect(await git(folder, 'status', '--short')).toBe('')
  })

  test('hooks and agents that were asked about are looked for, and told with the command that puts them in', async () => {
    await using folder = await repository()
    await init(folder, '--agents', 'claude')
    expect(await init(folder, '--check')).toMatchObject({ exitCode: 0 })
    expect(await init(folder, '--check', '--hooks')).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining(
        '.claude/settings.json is missing (hooks)\n    Run `cacpd init --hooks`\n',
      ),
      err: 'error: One of these needs attention\nnext: Run `cacpd init --hooks`\n',
    })
    expect(await init(folder, '--check', '--agents', 'codex')).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('    Run `cacpd init --agents codex`\n'),
    })
    await init(folder, '--hooks')
    expect(await init(folder, '--check', '--hooks')).toMatchObject({ exitCode: 0 })
  })

  test('a file that went missing, or lost what is ours, is found by --check and mended by init', async () => {
    await using folder = await repository({ 'AGENTS.md': '# Rules\n' })
    await init(folder, '--agents', 'claude')
    await rm(folder.at('.mcp.json'))
    await writeFile(folder.at('AGENTS.md'), '# Rules, changed\n')
    const { exitCode, out } = await init(folder, '--check', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(out).error.data.findings.map(({ path }: { path: string }) => path)).toEqual([
      '.mcp.json',
      'AGENTS.md',
    ])
    await init(folder)
    expect(await init(folder, '--check', '--json')).toMatchObject({ exitCode: 0 })
    await init(folder, '--remove')
    expect(await folderState(folder.path)).toEqual({ 'AGENTS.md': '644 # Rules, changed\n' })
  })
})

test('-C acts in another folder, and where its variable was not filled in, in this one', async () => {
  await using folder = await repository({ 'sub/': '' })
  for (const [cwd, other] of [
    ['/', folder.at('sub')],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it comes from a client that does not know it
    [folder.path, '${workspaceFolder}'],
  ] as const) {
    const { out } = await cacpd(['-C', other, 'init', '--dry-run', '--json'], { cwd })
    expect(JSON.parse(out).root).toBe(folder.path)
  }
})

test('what may not be written is told: of a folder nothing is done, of a file all but that', async () => {
  await using folder = await repository({ 'AGENTS.md': '# Rules\n' })
  await chmod(folder.at('AGENTS.md'), 0o444)
  // Nobody keeps root from writing, so it has to be somebody else.
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const launcher = new URL('../../../bin/cacpd.js', import.meta.url).pathname
  const words = [launcher, 'init', '--agents', 'claude']
  const initAs = () => run(process.execPath, words, { cwd: folder.path, ...who }).catch((error) => error)

  await chmod(folder.path, 0o555)
  const before = await folderState(folder.path)
  const refused = await initAs()
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(
    /^error: Nothing was set up: \.cacp in .+ may not be read or written by this user\nnext: /,
  )
  expect(await folderState(folder.path)).toEqual(before)

  await chmod(folder.path, 0o777)
  const { code, stdout } = await initAs()
  expect(code).toBe(1)
  expect(stdout).toMatch(/left +AGENTS\.md may not be read or written by this user/)
  expect(stdout).toMatch(/created +\.mcp\.json/)
  expect(await textOf(folder, 'AGENTS.md')).toBe('# Rules\n')
})

test('in a clone of what somebody else set up and committed, all is in place and can be taken out', async () => {
  await using folder = await repository({
    'AGENTS.md': '# Rules\n',
    '.cursor/mcp.json': '{"mcpServers": {"db": {}}}',
    '.claude/settings.json': '{"model": "m"}\n',
  })
  await init(folder, ...ALL)
  await git(folder, 'add', '-A')
  await git(folder, 'commit', '-q', '-m', 'set up')
  await using place = await folderWith()
  await git(folder, 'clone', '-q', folder.path, place.at('clone'))
  const clone = { ...place, path: place.at('clone'), at: (name: string) => place.at(`clone/${name}`) }
  expect(await init(clone, '--check')).toMatchObject({ exitCode: 0 })
  await init(clone, '--remove')
  expect(Object.keys(await folderState(clone.path)).sort()).toEqual([
    '.claude/',
    '.claude/settings.json',
    '.cursor/',
    '.cursor/mcp.json',
    'AGENTS.md',
  ])
  expect(await textOf(clone, '.claude/settings.json')).toBe('{"model": "m"}\n')
  expect(await textOf(clone, 'AGENTS.md')).toBe('# Rules\n')
  expect(JSON.parse(await textOf(clone, '.cursor/mcp.json'))).toEqual({ mcpServers: { db: {} } })
})

const append = async (folder: Folder, path: string, text: string): Promise<void> =>
  writeFile(folder.at(path), (await textOf(folder, path)) + text)
