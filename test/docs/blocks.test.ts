import { describe, expect, test } from 'vitest'
import { type Block, blocksOf } from './markdown.ts'
import { isExecuted } from './page-script.ts'
import { PAGES, pageText } from './pages.ts'
import { PROTOCOL_PAGES, SCENES } from './scenes.ts'

/** Pages of which a test runs every command; of the README `test/readme.test.ts`. */
const EXECUTED = new Set(['README.md', ...PROTOCOL_PAGES, ...Object.keys(SCENES)])

/** What a block may be that is no command: `text` is output, or a drawing; workflows are in `workflow.test.ts`. */
const NO_COMMANDS = new Set(['text', 'json', 'toml', 'ts', 'yaml'])

const A_PROMPT = /^\$ /m

/** Why a block of a page cannot stay as it is: it shows commands that nobody runs, and does not say so. */
function objectionTo(page: string, { language, mark, text }: Block): string | undefined {
  if (language === 'sh' && mark === 'example') return undefined
  if (mark !== '') return `unknown mark ${mark}`
  if (NO_COMMANDS.has(language)) return A_PROMPT.test(text) ? `commands in a ${language} block` : undefined
  if (!isExecuted({ language, mark })) return `unknown kind of block: ${language || 'none'}`
  if (language === 'console' && !A_PROMPT.test(text)) return 'no command in a console block'
  return EXECUTED.has(page) ? undefined : 'no test runs its commands'
}

const objectionsIn = (page: string, text: string): string[] =>
  blocksOf(text).flatMap((block) => {
    const objection = objectionTo(page, block)
    return objection === undefined ? [] : [`${page}:${block.line}: ${objection}`]
  })

test.each(PAGES)('every block of %s is run by a test, or marked as what it is', (page) => {
  expect(objectionsIn(page, pageText(page))).toEqual([])
})

test('every page that a test runs has something to run', () => {
  const idle = [...EXECUTED].filter((page) => !blocksOf(pageText(page)).some(isExecuted))
  expect(idle).toEqual([])
})

describe('it objects to', () => {
  test.each([
    [
      'commands that nobody runs',
      'docs/new.md',
      '```console\n$ cacpd status\n```',
      'no test runs its commands',
    ],
    ['the same without output', 'docs/new.md', '```sh\ncacpd status\n```', 'no test runs its commands'],
    ['a block that says nothing', 'docs/setup.md', '```\n$ cacpd\n```', 'unknown kind of block: none'],
    ['commands that are called output', 'docs/setup.md', '```text\n$ cacpd\n```', 'commands in a text block'],
    ['another shell', 'docs/setup.md', '```bash\ncacpd\n```', 'unknown kind of block: bash'],
    ['a mark that means nothing', 'docs/setup.md', '```sh later\ncacpd\n```', 'unknown mark later'],
    ['a marked console', 'docs/setup.md', '```console example\n$ cacpd\n```', 'unknown mark example'],
    ['output alone', 'docs/setup.md', '```console\nhealthy\n```', 'no command in a console block'],
  ])('%s', (_what, page, text, objection) => {
    expect(objectionsIn(page, `# A page\n\n${text}\n`)).toEqual([`${page}:3: ${objection}`])
  })

  test('nothing else', () => {
    const right = ['```console\n$ cacpd\nfine\n```', '```sh\ncacpd\n```', '```text\nfine\n```']
    expect(objectionsIn('docs/setup.md', right.join('\n'))).toEqual([])
    expect(objectionsIn('docs/new.md', '```sh example\ncacpd join URL\n```')).toEqual([])
  })
})
