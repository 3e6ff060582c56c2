import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { render } from '../../src/cli/render.ts'

const PLAIN = { colour: false, width: Number.POSITIVE_INFINITY }

describe('a result for people', () => {
  test('is a line per value', () => {
    expect(render({ projectId: 'p1', repoCount: 2, hint: null }, PLAIN)).toBe(
      'projectId: p1\nrepoCount: 2\nhint: -',
    )
  })

  test('is a table per list of objects, the id and the name first', () => {
    const contracts = [
      { version: 1, contract_id: 'c1', contractId: 'c1', content: { a: 1 }, parties: ['x'], name: 'Login' },
      { version: 12, contract_id: 'c2', contractId: 'c2', content: {}, parties: [], name: 'Me' },
    ]
    expect(render({ contracts }, PLAIN)).toBe(
      [
        'contracts:',
        '  contract_id  name   version  content  parties',
        '  c1           Login  1        {"a":1}  1',
        '  c2           Me     12       {}       0',
      ].join('\n'),
    )
  })

  test('keeps nested objects as indented JSON, and lists of words on one line', () => {
    expect(render({ content: { a: [1] }, parties: ['x', 'y'], responses: [] }, PLAIN)).toBe(
      'content:\n  {\n    "a": [\n      1\n    ]\n  }\nparties: x, y\nresponses: none',
    )
  })

  test('leaves out the columns that do not fit, and says so', () => {
    const rows = [{ id: 'x'.repeat(10), first: 'y'.repeat(10), second: 'z'.repeat(10) }]
    expect(render({ rows }, { colour: false, width: 30 })).toBe(
      ['rows:', '  id          first', '  xxxxxxxxxx  yyyyyyyyyy', '  (more columns: --json)'].join('\n'),
    )
  })

  test('aligns wide characters and cuts long texts', () => {
    const rows = [
      { name: '認証', note: 'a' },
      { name: 'login', note: 'b'.repeat(50) },
    ]
    expect(render({ rows }, PLAIN)).toBe(
      ['rows:', '  name   note', '  認証   a', `  login  ${'b'.repeat(39)}…`].join('\n'),
    )
  })

  test('colours status words, and only whole ones', () => {
    const painted = render({ status: 'agreed', name: 'agreed on' }, { ...PLAIN, colour: true })
    expect(painted).toContain('\u001b[32magreed\u001b[39m')
    expect(painted).toContain(' agreed on')
    expect(stripVTControlCharacters(painted)).toBe('status: agreed\nname: agreed on')
  })

  test('lets no control character of others reach the terminal', () => {
    const evil = '\u001b[2Jhi\u009b1m\u0007'
    const shown = render({ name: evil, rows: [{ [evil]: evil }], content: { [evil]: evil } }, PLAIN)
    expect(shown).not.toMatch(/[^\P{Cc}\n]/u)
    expect(shown).toContain('\\x1b[2Jhi\\x9b1m\\x07')
  })
})
