import { markdownOf } from '../../domain/names/markdown.ts'
import { oneLine } from '../../domain/names/quoted.ts'
import type { ResultOf } from '../../methods/table.ts'
import { methodCommand } from '../derive/method-commands.ts'
import { paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

type Summary = ResultOf<'cacp/project/summary'>

interface Style {
  /** What others wrote, so that it changes nothing of the page. */
  say(text: string): string
  title(text: string): string
  heading(text: string): string
  item(text: string): string
}

export const summary = methodCommand('cacp/project/summary', {
  options: { '--markdown': 'as Markdown, to commit or to paste into a pull request' },
  examples: ['cacpd summary', "cacpd summary 'User Auth' --markdown > docs/agreed.md"],
  adjust: (params, { markdown, json }) => {
    if (markdown === true && json === true)
      throw new UsageError('Ask for --markdown or --json: one of the two')
    return params
  },
  show: (result, screen, { given }) => pageOf(result, given.markdown === true ? MARKDOWN : styleOf(screen)),
})

const MARKDOWN: Style = {
  say: markdownOf,
  title: (text) => `# ${text}`,
  heading: (text) => `\n## ${text}\n`,
  item: (text) => `- ${text}`,
}

const styleOf = (terminal: Terminal): Style => ({
  say: (text) => printable(oneLine(text)),
  title: (text) => paint('bold', text, terminal),
  heading: (text) => `\n${paint('bold', text, terminal)}`,
  item: (text) => `  ${text}`,
})

function pageOf(summary: Summary, { say, title, heading, item }: Style): string {
  const { name, objective, status, archived, repos, inForce, decisions, owed, truncated } = summary
  const section = (about: string, lines: readonly string[], none: string) => [
    heading(about),
    ...(lines.length === 0 ? [none] : lines).map(item),
  ]
  return [
    title(`${say(name)} (${status}${archived ? ', archived' : ''})`),
    ...(objective.trim() === '' ? [] : ['', `Objective: ${say(objective)}`]),
    ...section('Repositories', repos.map(repoText(say)), 'none'),
    ...section('Contracts in force', inForce.map(forceText(say)), 'none yet'),
    ...section('Decisions', decisions.map(decisionText(say)), 'none yet'),
    ...section('What is owed', owed.map(owedText(say)), 'nothing'),
    ...(truncated
      ? ['', 'There is more than this page has room for: `cacpd contract list`, `cacpd context list`']
      : []),
  ].join('\n')
}

type Say = Style['say']

const repoText =
  (say: Say) =>
  ({ name, role, agentId }: Summary['repos'][number]): string =>
    `${say(name)} (${[...(role === '' ? [] : [say(role)]), ...(agentId === null ? ['not joined'] : [])].join(', ') || 'joined'})`

const forceText = (say: Say) => (one: Summary['inForce'][number]) => {
  const { name, type, version, status, parties, proposed } = one
  const change = proposed === undefined ? '' : `; version ${proposed.version} is ${proposed.status}`
  return `${say(name)} (${type.replaceAll('_', ' ')}) version ${version}: ${status}, between ${listed(parties, say)}${change}`
}

const decisionText = (say: Say) => (one: Summary['decisions'][number]) => {
  const { decision, chosen, rationale, repo, at, contradictedBy = [] } = one
  const said = [decision, chosen].filter((text) => text !== '').map(say)
  const why = rationale === '' ? '' : `, because ${say(rationale)}`
  const against = contradictedBy.length === 0 ? '' : '; another repository decided otherwise'
  return `${said.join(': ')}${why} (${say(repo)}, ${at.slice(0, 10)})${against}`
}

const owedText = (say: Say) => (one: Summary['owed'][number]) => {
  const { kind, name, version, repos, to, objectedBy = [], from, since } = one
  const what =
    kind === 'question' ? `${say(from ?? '')} asks ${say(name)}` : `${say(name)} version ${version}`
  const whom = repos.length === 0 ? 'any repository' : listed(repos, say)
  const objected = objectedBy.length === 0 ? '' : `; objected to by ${listed(objectedBy, say)}`
  return `${what}: ${whom} to ${to}${objected} (since ${since.slice(0, 10)})`
}

const listed = (names: readonly string[], say: Say): string => names.map(say).join(', ')
