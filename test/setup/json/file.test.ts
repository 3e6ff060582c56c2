import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { applySplices, type Change, type SetupFile, undoSplices } from '../../../src/setup/edit.ts'
import { setupFiles } from '../../../src/setup/files.ts'

const FILES = setupFiles({ command: { command: 'cacpd', args: [] }, settings: {}, isWindows: false })
const OTHERS = setupFiles({
  command: { command: '/usr/bin/node', args: ['/opt/cacpd/bin/cacpd.js'] },
  settings: {},
  isWindows: false,
})

const fileAt = (path: string, files = FILES): SetupFile => {
  const file = files.find((one) => one.path === path)
  if (file === undefined) throw new Error(`no ${path}`)
  return file
}

const change = (file: SetupFile, text: string | undefined): Change => {
  const edit = file.put(text)
  if ('refused' in edit) throw new Error(edit.refused)
  return edit
}

const withOurs = (file: SetupFile, text: string): string => applySplices(text, change(file, text).splices)

const withoutOurs = (file: SetupFile, text: string, made: Change['made']): string => {
  const edit = file.strip(text, made)
  if ('refused' in edit) throw new Error(edit.refused)
  return applySplices(text, edit.splices)
}

const OURS = '{ "command": "cacpd", "args": ["mcp"] }'
const mcp = fileAt('.mcp.json')
const hooks = fileAt('.claude/settings.json')

describe('an MCP server in a JSON file', () => {
  test.each([
    [
      'an empty object',
      '{}',
      '{\n  "mcpServers": {\n    "cacp": {\n      "command": "cacpd",\n      "args": ["mcp"]\n    }\n  }\n}',
    ],
    [
      'another server, with tabs and no newline at the end',
      '{\n\t"mcpServers": {\n\t\t"x": {"command": "x"}\n\t}\n}',
      '{\n\t"mcpServers": {\n\t\t"x": {"command": "x"},\n\t\t"cacp": {\n\t\t\t"command": "cacpd",\n\t\t\t"args": ["mcp"]\n\t\t}\n\t}\n}',
    ],
    [
      'a comment behind the last entry, which stays there',
      '{ // all\n  "mcpServers": {\n    "x": 1 // why\n  }\n}\n',
      '{ // all\n  "mcpServers": {\n    "x": 1, // why\n    "cacp": {\n      "command": "cacpd",\n      "args": ["mcp"]\n    }\n  }\n}\n',
    ],
    [
      'a trailing comma, which is kept up',
      '{\n  "mcpServers": {\n    "x": 1,\n  },\n}\n',
      '{\n  "mcpServers": {\n    "x": 1,\n    "cacp": {\n      "command": "cacpd",\n      "args": ["mcp"]\n    },\n  },\n}\n',
    ],
    [
      'all in one line, as it stays',
      '{"mcpServers":{"x":{"command":"x"}}}',
      '{"mcpServers":{"x":{"command":"x"}, "cacp": { "command": "cacpd", "args": ["mcp"] }}}',
    ],
    [
      'Windows line ends and a byte order mark',
      '\uFEFF{\r\n    "mcpServers": {}\r\n}\r\n',
      '\uFEFF{\r\n    "mcpServers": {\r\n        "cacp": {\r\n            "command": "cacpd",\r\n            "args": ["mcp"]\r\n        }\r\n    }\r\n}\r\n',
    ],
    [
      'an object with nothing but a comment',
      '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
      '{\n  "mcpServers": {\n    // none yet\n    "cacp": {\n      "command": "cacpd",\n      "args": ["mcp"]\n    }\n  }\n}\n',
    ],
  ])('goes into %s', (_what, before, wanted) => {
    const { splices, made } = change(mcp, before)
    const text = applySplices(before, splices)
    expect(text).toBe(wanted)
    expect(undoSplices(text, splices)).toBe(before)
    expect(withoutOurs(mcp, text, made).replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''))
  })

  test.each([
    ['broken JSON', '{ "mcpServers": { ', /not valid JSON/],
    ['a list', '[]', /JSON object/],
    ['servers that are a list', '{"mcpServers": []}', /"mcpServers", but not as an object/],
    ['servers twice', '{"mcpServers": {}, "mcpServers": {}}', /"mcpServers" twice/],
    [
      'a server of that name which is not cacpd',
      '{"mcpServers": {"cacp": {"command": "other", "args": ["mcp"]}}}',
      /another "mcpServers" → "cacp"/,
    ],
    ['nesting without end', '['.repeat(200_000), /not valid JSON/],
  ])('is not put into %s', (_what, text, why) => {
    expect(mcp.put(text)).toEqual({ refused: expect.stringMatching(why) })
  })

  test('gets the command of this machine where it has that of another one, and keeps what people added', () => {
    const theirs = withOurs(fileAt('.mcp.json', OTHERS), '{}').replace(
      '"args"',
      '"env": { "A": "b" },\n      "args"',
    )
    expect(parse(withOurs(mcp, theirs))).toEqual({
      mcpServers: { cacp: { command: 'cacpd', env: { A: 'b' }, args: ['mcp'] } },
    })
    expect(change(mcp, withOurs(mcp, theirs)).splices).toEqual([])
  })
})

describe('hooks in a JSON file', () => {
  test('are added to those of others, and taken out again without them', () => {
    const before = `{
  "permissions": { "allow": ["Bash(ls)"] },
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] }, // loud
    ],
    "PreToolUse": []
  }
}
`
    const { splices, made } = change(hooks, before)
    const text = applySplices(before, splices)
    const value = parse(text)
    expect(
      value.hooks.Stop.map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command),
    ).toEqual(['say done', 'cacpd hook claude Stop'])
    expect(Object.keys(value.hooks)).toEqual(['Stop', 'PreToolUse', 'SessionStart', 'UserPromptSubmit'])
    expect(undoSplices(text, splices)).toBe(before)
    expect(withoutOurs(hooks, text, made)).toBe(before)
  })

  test('leave a hook that somebody put beside ours', () => {
    const text = withOurs(hooks, '{}').replace(
      /(\{\s*"type": "command",\s*"command": "cacpd hook claude Stop")/,
      '{ "type": "command", "command": "say done" }, $1',
    )
    expect(parse(withoutOurs(hooks, text, change(hooks, '{}').made))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] },
    })
  })

  test('are not put where an event is no list', () => {
    expect(hooks.put('{"hooks": {"Stop": {}}}')).toEqual({ refused: 'has "Stop", but not as a list' })
  })

  test('of Cursor bring its version with them, and take it away with the last hook', () => {
    const cursor = fileAt('.cursor/hooks.json')
    const { splices, made } = change(cursor, '{}')
    const text = applySplices('{}', splices)
    expect(parse(text).version).toBe(1)
    expect(cursor.isBlank(withoutOurs(cursor, text, made))).toBe(true)
    const shared = text.replace('"stop": [', '"stop": [{ "command": "say done" }, ')
    expect(parse(withoutOurs(cursor, shared, made))).toEqual({
      version: 1,
      hooks: { stop: [{ command: 'say done' }] },
    })
  })
})

/** Any value, written as people might: blanks, line ends, comments and trailing commas wherever they are allowed. */
const gap = fc.constantFrom('', '', ' ', '\n', '\r\n', '\n\t', ' // it is\n', '/* so */', '\n    ')
const anyText = (value: unknown): fc.Arbitrary<string> => {
  if (typeof value !== 'object' || value === null) return fc.constant(JSON.stringify(value))
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map(anyText)
    : Object.entries(value).map(([key, item]) =>
        fc.tuple(gap, anyText(item)).map(([space, text]) => `${JSON.stringify(key)}${space}:${text}`),
      )
  const around = parts.map((part) => fc.tuple(gap, part, gap).map((texts) => texts.join('')))
  return fc.tuple(fc.tuple(...around), gap, fc.boolean()).map(([texts, end, hasComma]) => {
    const inside = texts.join(',') + (hasComma && texts.length > 0 ? ',' : '') + end
    return isList ? `[${inside}]` : `{${inside}}`
  })
}
const name = fc.constantFrom('a', 'b', 'mcpServers', 'x y', '"', 'cacpd')
const server = fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }) })
const group = fc.record({ hooks: fc.array(fc.record({ command: fc.string() }), { maxLength: 2 }) })
const settings = fc.record(
  {
    // Without it, Cursor reads nothing of its file.
    version: fc.constant(1),
    other: fc.jsonValue({ maxDepth: 2 }),
    mcpServers: fc.dictionary(name, server, { maxKeys: 3 }),
    hooks: fc.record(
      { Stop: fc.array(group, { maxLength: 2 }), PreToolUse: fc.array(group, { maxLength: 1 }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['version'] },
)
const document = settings.chain((value) =>
  fc.tuple(anyText(value), gap).map(([text, end]) => ({ value, text: text + end })),
)

describe.each(['.mcp.json', '.claude/settings.json', '.cursor/hooks.json'])(
  'whatever stands in %s',
  (path) => {
    const file = fileAt(path)

    test('no byte of it is touched, and all of it comes back', () => {
      fc.assert(
        fc.property(document, ({ text }) => {
          const { splices, made } = change(file, text)
          expect(splices.every(({ removed }) => removed === '')).toBe(true)
          const put = applySplices(text, splices)
          expect(change(file, put).splices).toEqual([])
          expect(undoSplices(put, splices)).toBe(text)
          expect(parse(withoutOurs(file, put, made))).toEqual(parse(text))
        }),
        { numRuns: 150 },
      )
    })

    test('it means the same as before beside what is ours', () => {
      fc.assert(
        fc.property(document, ({ text, value }) => {
          const { mcpServers, hooks, other } = parse(withOurs(file, text))
          expect(other).toEqual(parse(text).other)
          expect(mcpServers ?? {}).toMatchObject(value.mcpServers ?? {})
          expect((hooks?.Stop ?? []).slice(0, value.hooks?.Stop?.length ?? 0)).toEqual(
            parse(text).hooks?.Stop ?? [],
          )
          expect(hooks?.PreToolUse).toEqual(parse(text).hooks?.PreToolUse)
        }),
        { numRuns: 60 },
      )
    })
  },
)

test.each([
  ['in what is empty', (blanks: string) => `{\n"mcpServers": {${blanks}/* x */ } }`],
  ['before ours', (blanks: string) => `{ "a": 1,${blanks}"b": 2, "mcpServers": { "cacp": ${OURS} } }`],
])('many blanks %s are read in one go', (_where, document) => {
  const text = document(' '.repeat(100_000))
  const began = performance.now()
  mcp.put(text)
  mcp.strip(text, undefined)
  // Each of them looked at from each of them would take half a minute.
  expect(performance.now() - began).toBeLessThan(5000)
})
