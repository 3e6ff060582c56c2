import { describe, expect, test } from 'vitest'
import { ITEM_KINDS } from '../../src/domain/inbox/inbox.ts'
import { Until } from '../../src/domain/inbox/wait-goal.ts'
import { TOOLS } from '../../src/mcp/tools.ts'
import { Capabilities } from '../../src/protocol/agent/capability.ts'
import { Permission } from '../../src/protocol/permission.ts'
import { RunnerEvent } from '../../src/protocol/run/event.ts'
import { AGENTS } from '../../src/setup/agents.ts'
import { pageText } from './pages.ts'

/** The first cells of the table under this first heading. */
function firstCells(page: string, heading: string): string[] {
  const lines = page.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  if (at < 0) throw new Error(`no table begins with ${heading}`)
  const length = lines.slice(at).findIndex((line) => !line.startsWith('|'))
  return lines.slice(at + 2, at + length).map((line) => line.split(' | ')[0]?.slice(2) ?? '')
}

/** The words in backticks of some cells. */
const codeIn = (cells: readonly string[]): string[] =>
  cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))

const sorted = (names: readonly string[]): string[] => names.toSorted()

describe('a table has a row for everything that there is, and for nothing else', () => {
  test('the tools in docs/mcp.md', () => {
    const named = codeIn(firstCells(pageText('docs/mcp.md'), 'tool'))
    expect(sorted(named)).toEqual(sorted(TOOLS.map(({ name }) => name)))
  })

  test('the kinds of inbox items in docs/seat.md', () => {
    expect(sorted(codeIn(firstCells(pageText('docs/seat.md'), 'kind')))).toEqual(sorted(ITEM_KINDS))
  })

  test('what can be waited for in docs/seat.md', () => {
    const shown = codeIn(firstCells(pageText('docs/seat.md'), '`until`'))
    const named = shown.map((goal) => /^\{"(\w+)"/.exec(goal)?.[1] ?? goal)
    expect(sorted([...new Set(named)])).toEqual(sorted(Object.keys(Until.shape)))
  })

  test('the events of a command in docs/agent.md', () => {
    const types = RunnerEvent.options.map(({ shape }) => shape.type.value)
    expect(sorted(codeIn(firstCells(pageText('docs/agent.md'), '`type`')))).toEqual(
      sorted([...types, 'completed']),
    )
  })

  test('the types of work that are built in in docs/agent.md', () => {
    const built = Capabilities.parse(undefined).map(({ name }) => name)
    expect(sorted(codeIn(firstCells(pageText('docs/agent.md'), 'work type')))).toEqual(sorted(built))
  })

  test('the coding agents in docs/setup.md', () => {
    const named = firstCells(pageText('docs/setup.md'), 'for').filter((title) => title !== 'all')
    expect(sorted(named)).toEqual(sorted(Object.values(AGENTS).map(({ title }) => title)))
  })

  test('the permissions of a token in docs/security.md, in a sentence', () => {
    const [, sentence = ''] = /Permissions are ([^.]+)\./.exec(pageText('docs/security.md')) ?? []
    expect(sorted(codeIn([sentence]))).toEqual(sorted(Permission.options))
  })
})
