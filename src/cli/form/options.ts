import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../program/report.ts'

/** Options that every command with an answer takes. */
export const commonOptions = (): Option[] => [
  new Option(
    '--data <dir>',
    'data directory of the daemon (default: CACP_DATA, or found from here upwards)',
  ).argParser(notEmpty),
  new Option('--json', 'print JSON, also for errors'),
  new Option('--times <form>', 'times for people: how long ago (default), or exactly').choices([
    'ago',
    'iso',
  ]),
]

/** An empty directory is most likely a variable that is not set, and must not mean another directory. */
export function notEmpty(path: string): string {
  if (path === '') throw new InvalidArgumentError('It must not be empty.')
  return path
}

export const dataDirectory = (about: string) => ({ '--data <dir>': { about, parse: notEmpty } }) as const

export const AGENT_ID = { '--agent-id <aid>': 'act as this agent instead of the daemon’s own' } as const

export const IDEMPOTENCY_KEY = {
  '--idempotency-key <text>': 'a repeat with the same key and params is carried out once',
} as const

export const PROJECT = {
  '--project <project>': 'ID or name of the project (default: the current one, or the only one)',
} as const

export const OF_CONTRACT = {
  '--project-id <text>': 'ID or name of its project (default: the current project, or the only one)',
  ...AGENT_ID,
} as const

/** The number behind an option, if it was given; a text of another form is refused with the problem. */
export function numberGiven(text: string | undefined, form: RegExp, problem: string): number | undefined {
  if (text === undefined) return undefined
  if (form.test(text)) return Number(text)
  throw new UsageError(problem)
}

export const DOCUMENT_WORD = {
  '<file>': 'OpenAPI 3.0 or 3.1, AsyncAPI 2 or 3, JSON Schema (JSON or YAML), .graphql or .proto',
} as const
export const SELECT = {
  '--select <name...>': "only what is called so, * for anything: 'GET /users/*'",
} as const

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** The seconds that a word such as `90s`, `30m`, `24h` or `7d` of an option means. */
export function secondsIn(text: string, most: { seconds: number; said: string }, option = '--expires') {
  const [, number = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? []
  const seconds = Number(number) * (UNITS[unit] ?? 0)
  if (seconds >= 1 && seconds <= most.seconds) return seconds
  throw new UsageError(`${option}: must be a time such as 90s, 30m or 24h, and at most ${most.said}`)
}
