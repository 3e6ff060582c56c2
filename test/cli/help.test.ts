import { describe, expect, test } from 'vitest'
import { rootHelp } from '../../src/cli/program/root-help.ts'
import { DOCS, pageText } from '../docs/pages.ts'
import { cacpd } from './captured-terminal.ts'

/** The name of a page without its folder and ending. */
const topicOf = (page: string): string => page.replace(/^.*\//, '').replace(/\.md$/, '')
/** Pages that are called as a command is. */
const COMMANDS = ['gate', 'hub', 'mcp', 'peers', 'ui']

describe('cacpd help', () => {
  test('lists the commands, and below them every page with the question it answers', async () => {
    const { exitCode, out } = await cacpd(['help'])
    expect(exitCode).toBe(0)
    expect(out.startsWith(rootHelp({ colour: false }))).toBe(true)
    const list = out.slice(rootHelp({ colour: false }).length)
    const topics = [...list.matchAll(/^ {2}(\S+) +\S.*\?$/gm)].map(([, topic = '']) => topic)
    expect(topics.map((topic) => topic.replace(/\.md$/, ''))).toEqual(
      DOCS.map((page) => topicOf(page).toLowerCase()).toSorted(),
    )
    expect(topics.filter((topic) => topic.endsWith('.md')).toSorted()).toEqual(
      COMMANDS.map((name) => `${name}.md`),
    )
  })

  test.each(DOCS)('prints %s by its name, and by that of its file', async (page) => {
    const shown = { exitCode: 0, out: pageText(page), err: '' }
    const topic = topicOf(page)
    expect(await cacpd(['help', `${topic}.md`])).toEqual(shown)
    if (!COMMANDS.includes(topic)) expect(await cacpd(['help', topic])).toEqual(shown)
  })

  test('takes a name in capitals and in small letters', async () => {
    expect((await cacpd(['help', 'methods'])).out).toBe(pageText('docs/METHODS.md'))
    expect((await cacpd(['help', 'METHODS'])).out).toBe(pageText('docs/METHODS.md'))
  })

  test.each(COMMANDS)('shows the help of the command %s, and where its page is', async (name) => {
    const { out } = await cacpd([name, '--help'])
    expect(await cacpd(['help', name])).toEqual({
      exitCode: 0,
      out: `${out}\nPage: cacpd help ${name}.md\n`,
      err: '',
    })
  })

  test.each([
    ['contract'],
    ['contract', 'propose'],
    ['status'],
    ['peers', 'revoke'],
    ['adp', 'search'],
    ['sync'],
  ])('shows the help of a command as its --help does: %j', async (...words) => {
    const { out } = await cacpd([...words, '--help'])
    expect(await cacpd(['help', ...words])).toEqual({ exitCode: 0, out, err: '' })
  })

  test.each([
    ['secruity', 'security'],
    ['setings', 'settings'],
    ['contrat', 'contract'],
    ['peerz', 'peers'],
  ])('suggests what may be meant: %s', async (word, meant) => {
    expect(await cacpd(['help', word])).toEqual({
      exitCode: 2,
      out: '',
      err: `error: there is no command or page '${word}'\n(Did you mean ${meant}?)\n`,
    })
  })

  test('says where all are where nothing is like it', async () => {
    expect(await cacpd(['help', 'xylophone'])).toEqual({
      exitCode: 2,
      out: '',
      err: "error: there is no command or page 'xylophone'\nnext: cacpd help lists all of them\n",
    })
  })

  test('takes one page at a time', async () => {
    expect(await cacpd(['help', 'setup', 'security'])).toMatchObject({ exitCode: 2, out: '' })
  })

  test('lets headings stand out on a terminal, but nothing in code', async () => {
    const { out } = await cacpd(['help', 'setup'], { colour: true, width: 80 })
    const ESCAPE = '\u001b'
    expect(out).toContain(`${ESCAPE}[1m# Setup${ESCAPE}[22m`)
    const painted = out.split('\n').filter((line) => line.includes(ESCAPE))
    expect(painted.length).toBeGreaterThan(3)
    expect(painted.filter((line) => !/^.\[1m#{1,6} /.test(line))).toEqual([])
    expect(out.replaceAll(`${ESCAPE}[1m`, '').replaceAll(`${ESCAPE}[22m`, '')).toBe(pageText('docs/setup.md'))
  })

  test('breaks its list where the terminal ends', async () => {
    const { out } = await cacpd(['help'], { width: 80 })
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})
