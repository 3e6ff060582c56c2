import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Command } from 'commander'
import { LAUNCHER } from '../../launcher.ts'
import { nearTo } from '../../protocol/text/closest.ts'
import { commandAt } from '../output/command-at.ts'
import { paint } from '../output/paint.ts'
import type { Terminal } from '../output/terminal.ts'
import { wrapped } from '../output/wrap.ts'
import { UsageError } from './report.ts'
import { rootHelp } from './root-help.ts'

type HelpPage = Awaited<ReturnType<typeof helpPages>>[number]

const DOCS = join(dirname(dirname(LAUNCHER)), 'docs')

/** The pages of the documentation, each with what it is asked for by: `a2a` for docs/protocols/a2a.md. */
async function helpPages() {
  // The help of commands does not depend on whether the pages are there.
  const names = await readdir(DOCS, { recursive: true }).catch(() => [])
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ topic: basename(name, '.md').toLowerCase(), path: join(DOCS, name) }))
    .sort((a, b) => (a.topic < b.topic ? -1 : 1))
}

const textOf = ({ path }: HelpPage): Promise<string> => readFile(path, 'utf8')

/** The question that a page answers, which is its first sentence. */
async function questionOf(page: HelpPage): Promise<string> {
  const [, paragraph = ''] = (await textOf(page)).split('\n\n')
  return paragraph.split('\n').join(' ').split('?')[0]?.concat('?') ?? ''
}

/**
 * `cacpd help`: the commands and the pages; `cacpd help TOPIC`: a page. Answers false where a command is meant, whose
 * own help is shown by its `--help`.
 */
export async function showHelp(words: readonly string[], program: Command, terminal: Terminal) {
  const [word, ...rest] = words
  if (word?.startsWith('-') === true) return false
  const pages = await helpPages()
  if (word === undefined) {
    terminal.print(rootHelp(terminal) + (await topicList(pages, program, terminal)))
    return true
  }
  const topic = word.replace(/\.md$/i, '').toLowerCase()
  const page = pages.find((one) => one.topic === topic)
  const { command } = commandAt(program, [word])
  const isCommand = command !== program
  if (isCommand && page !== undefined && isShown(word, program))
    // Behind its examples, which are added when it is loaded; and not in the help of the commands below it.
    command.addHelpText('afterAll', ({ command: shown }) =>
      shown === command ? `\nPage: cacpd help ${typedAs(page, program)}` : '',
    )
  if (isCommand && (page === undefined || rest.length > 0 || isShown(word, program))) return false
  if (page === undefined) throw unknownTopic(word, pages, program)
  if (rest.length > 0) throw new UsageError(`help: one page at a time, not also ${rest.join(' ')}`)
  terminal.print(painted(await textOf(page), terminal))
  return true
}

/** Whether there is a command of this name that people are shown; a page goes before the others. */
const isShown = (name: string, program: Command): boolean =>
  program
    .createHelp()
    .visibleCommands(program)
    .some((one) => one.name() === name)

/** A page whose name is that of a command is asked for by the name of its file. */
const typedAs = ({ topic }: HelpPage, program: Command): string =>
  isShown(topic, program) ? `${topic}.md` : topic

const COLUMN = 14

async function topicList(pages: readonly HelpPage[], program: Command, terminal: Terminal): Promise<string> {
  if (pages.length === 0) return ''
  const lines = await Promise.all(
    pages.map(async (page) =>
      wrapped(await questionOf(page), {
        width: terminal.width,
        first: `  ${typedAs(page, program).padEnd(COLUMN)}  `,
        hanging: COLUMN + 4,
      }),
    ),
  )
  return `${[paint('bold', 'Read more: cacpd help TOPIC', terminal), ...lines].join('\n')}\n`
}

function unknownTopic(word: string, pages: readonly HelpPage[], program: Command): UsageError {
  const commands = program.createHelp().visibleCommands(program)
  const names = [...commands.map((one) => one.name()), ...pages.map((page) => typedAs(page, program))]
  const problem = `there is no command or page '${word}'`
  const meant = nearTo(word.toLowerCase(), names)
  return meant === undefined
    ? new UsageError(problem, 'cacpd help lists all of them')
    : new UsageError(`${problem}\n(Did you mean ${meant}?)`)
}

const FENCE = /^\s*(?:```|~~~)/

/** The page as it is written; on a terminal its headings stand out, and those of code are none. */
function painted(page: string, terminal: Terminal): string {
  let isCode = false
  return page
    .split('\n')
    .map((line) => {
      if (FENCE.test(line)) isCode = !isCode
      return !isCode && /^#{1,6} /.test(line) ? paint('bold', line, terminal) : line
    })
    .join('\n')
}
