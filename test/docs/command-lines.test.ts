import { expect, test } from 'vitest'
import { commandAt } from '../../src/cli/output/command-at.ts'
import type { Terminal } from '../../src/cli/output/terminal.ts'
import { createProgram, fillCommand } from '../../src/cli/program/program.ts'
import { readPage } from './markdown.ts'
import { PAGES, pageText } from './pages.ts'

const NOWHERE: Terminal = {
  cwd: '/',
  env: {},
  self: 'cacpd',
  colour: false,
  width: 80,
  print: () => {},
  complain: () => {},
  readInput: async () => '',
}
const program = createProgram(NOWHERE)
for (const group of program.commands) await fillCommand(group, NOWHERE)

/** Read before there are commands. */
const BEFORE_COMMANDS = new Set(['help', 'complete'])
const A_COMMAND = /^[a-z][a-z-]*$/

/**
 * The calls of cacpd in a text, each with its words up to a comment, a pipe or another command. More than one space stands
 * between the columns of a table, where cacpd is the name of a repository.
 */
function callsIn(text: string): string[][] {
  const plain = text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, 'WORD').replace(/(^|\s)#.*$/gm, '')
  return [...plain.matchAll(/(?:^|[\s(])cacpd((?: [^\s;|&)<>]+)*)/gm)].map(([, words = '']) => {
    const [first, , ...rest] = words.trim().split(/ +/)
    return first === '-C' ? rest : words.trim().split(/ +/).filter(Boolean)
  })
}

/** What a call says that the command line does not know. */
function mistakeIn(words: readonly string[]): string | undefined {
  const told = `cacpd ${words.join(' ')}`
  if (BEFORE_COMMANDS.has(words[0] ?? '')) return undefined
  const { command, rest } = commandAt(program, words)
  const [next = ''] = rest
  if (A_COMMAND.test(next) && command.registeredArguments.length === 0) return `${told}: no command ${next}`
  // A group hands its options to the command below it that it stands for.
  const meant = [command, ...command.commands]
  const known = [
    '--help',
    ...meant.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])),
  ]
  const given = rest.map((word) => word.replace(/^\[|[\],.:]+$/g, '').replace(/=.*/, ''))
  const unknown = given.find((word) => /^--?[a-z]/.test(word) && !known.includes(word))
  return unknown === undefined ? undefined : `${told}: no option ${unknown}`
}

/** Those in blocks, and in code between the words of a sentence. */
function callsOf(page: string): string[][] {
  const { blocks, prose } = readPage(page)
  const inBlocks = blocks.filter(({ language }) => language === 'sh' || language === 'console')
  const inWords = [...prose.join('\n').matchAll(/`(cacpd [^`]*)`/g)].map(([, code = '']) => code)
  return [...inBlocks.map(({ text }) => text), ...inWords].flatMap(callsIn)
}

const mistakesIn = (page: string): string[] =>
  callsOf(page)
    .map(mistakeIn)
    .filter((found) => found !== undefined)

test.each(PAGES)('every command in %s is one that there is, with options that it has', (page) => {
  expect(mistakesIn(pageText(page))).toEqual([])
})

test('it looks at many of them', () => {
  expect(PAGES.map(pageText).flatMap(callsOf).length).toBeGreaterThan(150)
})

test.each([
  [
    'a command that is not there',
    '```sh example\ncacpd peer-list\n```',
    'cacpd peer-list: no command peer-list',
  ],
  ['one below another', '```sh\ncd x && cacpd contract agre\n```', 'cacpd contract agre: no command agre'],
  ['an option', '```console\n$ npx cacpd status --jsn\n```', 'cacpd status --jsn: no option --jsn'],
  [
    'an option in a sentence',
    'Say `cacpd invite [--projekt ID]`.',
    'cacpd invite [--projekt ID]: no option --projekt',
  ],
  ['an option of another command', '`cacpd -C FOLDER brief --fix`', 'cacpd brief --fix: no option --fix'],
])('it finds %s that does not exist', (_what, text, told) => {
  expect(mistakesIn(`# A page\n${text}\n`)).toEqual([told])
})
