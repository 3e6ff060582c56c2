import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import type { Terminal } from '../../../src/cli/output/terminal.ts'
import { createProgram, fillCommand } from '../../../src/cli/program/program.ts'
import { rootHelp } from '../../../src/cli/program/root-help.ts'
import { cacpd } from '../captured-terminal.ts'

const SILENT: Terminal = {
  cwd: '/',
  env: {},
  self: 'cacpd',
  colour: false,
  width: 80,
  print: () => {},
  complain: () => {},
  readInput: async () => '',
}

/** The commands that lines of the help begin with. */
function namedIn(help: string): string[] {
  const lines = help.split('\n').filter((line) => line.startsWith('  '))
  return lines.flatMap((line) => line.trim().split(/ {2,}/)[0]?.split(', ') ?? [])
}

describe('cacpd --help', () => {
  const help = rootHelp({ colour: false })

  test('names every command once', () => {
    const program = createProgram(SILENT)
    const visible = program.createHelp().visibleCommands(program)
    expect(namedIn(help).toSorted()).toEqual(visible.map((command) => command.name()).toSorted())
  })

  test('fits a terminal of 24 lines and 80 columns', () => {
    const lines = help.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  test('leaves out what is for daemons', () => {
    for (const name of ['peer', 'sync', 'receipt']) expect(namedIn(help)).not.toContain(name)
  })

  test('is what is shown', async () => {
    expect(await cacpd(['--help'])).toMatchObject({ exitCode: 0, out: help })
  })
})

/** The words of every command, and of what has commands below it. */
async function* commandsIn(command: Command, above: readonly string[] = []): AsyncGenerator<string[]> {
  if (above.length === 1) await fillCommand(command, SILENT)
  for (const one of command.createHelp().visibleCommands(command)) {
    const words = [...above, one.name()]
    yield* commandsIn(one, words)
    if (one.name() !== 'help') yield words
  }
}

test('every command has an example in its help', async () => {
  const without: string[] = []
  let count = 0
  for await (const words of commandsIn(createProgram(SILENT))) {
    count++
    const { out } = await cacpd([...words, '--help'])
    if (!/^Examples?:\n +\S/m.test(out)) without.push(words.join(' '))
  }
  expect(count).toBeGreaterThan(80)
  expect(without).toEqual([])
})
