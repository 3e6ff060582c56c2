import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { applySplices, type Change, type Edit, type SetupFile, undoSplices } from '../../../src/setup/edit.ts'
import { setupFiles } from '../../../src/setup/files.ts'
import { shellLine } from '../../../src/setup/service/shell-line.ts'
import { AGENTS_BLOCK, SKILL } from '../../../src/setup/texts.ts'

const filesOf = (command: string, ...args: string[]) =>
  setupFiles({ command: { command, args }, settings: {}, isWindows: false })

const fileAt = (path: string, files = filesOf('cacpd')): SetupFile => {
  const file = files.find((one) => one.path === path)
  if (file === undefined) throw new Error(`no ${path}`)
  return file
}

function changeOf(edit: Edit): Change {
  if ('refused' in edit) throw new Error(edit.refused)
  return edit
}

const withOurs = (file: SetupFile, text: string | undefined): string =>
  applySplices(text ?? '', changeOf(file.put(text)).splices)

const withoutOurs = (file: SetupFile, text: string): string =>
  applySplices(text, changeOf(file.strip(text, [])).splices)

const BLOCK = `# BEGIN CACP INTEGRATION v1 hash:HASH
[mcp_servers.cacp]
command = "cacpd"
args = ["mcp"]
startup_timeout_sec = 20
tool_timeout_sec = 300
# END CACP INTEGRATION
`

describe('the MCP server in the settings of Codex', () => {
  const codex = fileAt('.codex/config.toml')

  test.each([
    ['nothing', '', ''],
    ['lines with a newline at the end', 'model = "o"\n', '\n'],
    ['lines without one', 'model = "o"', '\n\n'],
    ['another server', '[mcp_servers.x]\ncommand = "x"\n', '\n'],
  ])('goes below %s', (_what, before, gap) => {
    const text = withOurs(codex, before)
    expect(text.replace(/hash:\w+/, 'hash:HASH')).toBe(before + gap + BLOCK)
    expect(undoSplices(text, changeOf(codex.put(before)).splices)).toBe(before)
    expect(changeOf(codex.put(text)).splices).toEqual([])
    expect(withoutOurs(codex, text).trimEnd()).toBe(before.trimEnd())
  })

  test('follows Windows line ends and a byte order mark', () => {
    const before = '\uFEFFmodel = "o"\r\n'
    const text = withOurs(codex, before)
    expect(text.slice(before.length).split('\r\n')).toHaveLength(9)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    expect(withoutOurs(codex, text)).toBe(before)
  })

  test('is taken out from between what others wrote', () => {
    const text = `${withOurs(codex, 'a = 1\n')}\n[b]\nc = 2\n`
    expect(withoutOurs(codex, text)).toBe('a = 1\n\n[b]\nc = 2\n')
  })

  test('keeps the times that somebody set, and gets the command of this machine', () => {
    const patient = withOurs(codex, '').replace('300', '900')
    expect(changeOf(codex.put(patient)).splices).toEqual([])
    const elsewhere = fileAt('.codex/config.toml', filesOf('C:\\node "x"\\node.exe', '/opt/cacpd.js'))
    expect(parse(withOurs(elsewhere, patient))).toMatchObject({
      mcp_servers: { cacp: { command: 'C:\\node "x"\\node.exe', args: ['/opt/cacpd.js', 'mcp'] } },
    })
  })

  test.each([
    ['broken TOML', 'model = ', /not valid TOML/],
    [
      'a server of that name that is not ours',
      '[mcp_servers.cacp]\nurl = "x"\n',
      /another \[mcp_servers.cacp\]/,
    ],
    ['servers that are closed to more', 'mcp_servers = { x = { command = "x" } }\n', /mean something else/],
    ['half of our marks', '# BEGIN CACP INTEGRATION v1\n', /do not belong together/],
  ])('is not put into %s', (_what, text, why) => {
    expect(codex.put(text)).toEqual({ refused: expect.stringMatching(why) })
  })

  test('is not there twice where somebody wrote the same by hand', () => {
    const byHand = '[mcp_servers]\ncacp = { command = "cacpd", args = ["mcp"] }\n'
    expect(changeOf(codex.put(byHand)).splices).toEqual([])
  })

  test('is not taken out from above lines that would then belong to another table', () => {
    const text = `${withOurs(codex, '[a]\nb = 1\n')}more = true\n`
    expect(codex.strip(text, [])).toEqual({ refused: expect.stringMatching(/mean something else/) })
  })

  test('leaves numbers alone that JavaScript cannot hold', () => {
    const big = 'big = 9007199254740993\nwhen = 1979-05-27T07:32:00Z\n'
    expect(withoutOurs(codex, withOurs(codex, big))).toBe(big)
  })
})

describe('the block in AGENTS.md', () => {
  const agents = fileAt('AGENTS.md')

  test('has at most 25 lines, says nothing of git, gives no orders and names no machine', () => {
    const text = withOurs(agents, undefined)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
    for (const words of [AGENTS_BLOCK.join('\n'), SKILL]) {
      expect(words).not.toMatch(/\b(git|commit|push|branch|merge|must|always|never)\b/i)
      expect(words).not.toMatch(/127\.0\.0\.1|localhost|:\d{4}|cacp_(op|sk)_|Bearer/)
    }
  })

  test('is found and replaced wherever people moved it', () => {
    const old =
      '# Rules\r\n<!-- BEGIN CACP INTEGRATION v1 hash:old -->\r\nold words\r\n<!-- END CACP INTEGRATION -->\r\nmore\r\n'
    const text = withOurs(agents, old)
    expect(text.startsWith('# Rules\r\n<!-- BEGIN CACP')).toBe(true)
    expect(text.endsWith('<!-- END CACP INTEGRATION -->\r\nmore\r\n')).toBe(true)
    expect(text).not.toContain('old words')
    expect(withoutOurs(agents, text)).toBe('# Rules\r\nmore\r\n')
  })

  test.each([
    '<!-- END CACP INTEGRATION -->\n',
    '<!-- END CACP INTEGRATION -->\n<!-- BEGIN CACP INTEGRATION v1 -->\n',
  ])('is left alone where its marks are %j', (text) => {
    expect(agents.put(text)).toEqual({ refused: expect.stringMatching(/do not belong together/) })
  })
})

describe('the line in CLAUDE.md', () => {
  const claude = fileAt('CLAUDE.md')

  test.each(['@AGENTS.md\n', 'See @AGENTS.md for more', 'x\r\n@./AGENTS.md\r\n'])(
    'is not repeated where there is %j',
    (text) => {
      expect(changeOf(claude.put(text)).splices).toEqual([])
    },
  )

  test.each([
    '',
    '# C\n',
    '# C',
    'not `@AGENTS.md`\n',
    '```\n@AGENTS.md\n```\n',
    '@AGENTS.md.bak\n',
    'me@AGENTS.md\n',
  ])('is put below %j', (text) => {
    expect(withOurs(claude, text).endsWith('@AGENTS.md\n')).toBe(true)
    expect(withoutOurs(claude, withOurs(claude, text)).trimEnd()).toBe(text.trimEnd())
  })

  test('makes no file, and is not ours to take where nobody remembers it', () => {
    expect(changeOf(claude.put(undefined)).splices).toEqual([])
    expect(changeOf(claude.strip('@AGENTS.md\n', undefined)).splices).toEqual([])
  })
})

describe('the skill', () => {
  const skill = fileAt('.claude/skills/cacp/SKILL.md')
  const text = withOurs(skill, undefined)

  test('has the front matter that clients ask for', () => {
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
    const fields = new Map(front.split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]))
    expect([...fields.keys()]).toEqual(['name', 'description'])
    expect(fields.get('name')).toMatch(/^[a-z][a-z-]{0,63}$/)
    expect(fields.get('description')?.length).toBeLessThanOrEqual(1024)
    // A colon with a blank would begin another mapping in YAML.
    expect(fields.get('description')).not.toMatch(/: | #/)
  })

  test('replaces an earlier version of itself, but not what somebody changed or wrote', () => {
    expect(changeOf(skill.put(text.replaceAll('\n', '\r\n'))).splices).toEqual([])
    expect(skill.put(text.replace('twelve', '12'))).toEqual({
      refused: expect.stringMatching(/not as `cacpd init`/),
    })
    expect(skill.strip(text.replace('twelve', '12'), [])).toHaveProperty('refused')
    expect(skill.put('my own\n')).toHaveProperty('refused')
    expect(changeOf(skill.strip('my own\n', [])).splices).toEqual([])
    expect(withoutOurs(skill, text)).toBe('')
  })
})

describe('a line for a shell', () => {
  test.each([
    [['cacpd', 'hook'], false, 'cacpd hook'],
    [['/a b/node', "it's"], false, "'/a b/node' 'it'\\''s'"],
    [['/$HOME/`x`'], false, "'/$HOME/`x`'"],
    [['C:\\Program Files\\node.exe', 'x'], true, '"C:\\Program Files\\node.exe" x'],
  ] as const)('of %j', (words, isWindows, line) => {
    expect(shellLine(words, isWindows)).toBe(line)
  })
})
