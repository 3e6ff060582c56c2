import { levels } from 'pino'
import { dataDirInUse } from '../../io/background/place.ts'
import { lastLines, logBytes, newLines } from '../../io/background/read-log.ts'
import { logPath } from '../../io/background/state.ts'
import { DataDirError } from '../../io/place/data-dir.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { command } from '../form/command.ts'
import { paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import { firstSignal } from '../program/first-signal.ts'
import { UsageError } from '../program/report.ts'

const MOST_LINES = 100_000

export const logs = command({
  about: 'show what the daemon in the background has logged',
  options: {
    '-f, --follow': 'go on with what comes, until Ctrl-C',
    '-n, --lines <number>': { about: 'how many lines at most', default: '50' },
  },
  examples: ['cacpd logs', 'cacpd logs -f -n 10'],
  run: async (flags, terminal) => {
    const most = Number(flags.lines)
    if (!/^\d+$/.test(flags.lines) || most > MOST_LINES)
      throw new UsageError(`--lines: must be a whole number from 0 to ${MOST_LINES}`)
    const dataDir = await dataDirInUse({ ...terminal, dataDir: flags.data })
    const show = (line: string) =>
      terminal.print(`${flags.json === true ? line : readableLine(line, terminal)}\n`)
    const stop = new AbortController()
    if (flags.follow === true) void firstSignal().then(() => stop.abort())
    // Looked at before the last lines are read: a line that comes in between is shown twice rather than never.
    const bytes = await logBytes(dataDir)
    const lines = await lastLines(dataDir, most)
    if (lines === undefined)
      throw new DataDirError(
        `There is no log at ${logPath(dataDir)}: the daemon was never started in the background`,
        'Start it with `cacpd up -d`; in the foreground it logs to its terminal',
      )
    for (const line of lines) show(line)
    if (flags.follow === true) for await (const line of newLines(dataDir, bytes, stop.signal)) show(line)
  },
})

const COLOURS = new Map(
  Object.entries({ info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const),
)

/** A line of the log for people: when, how bad, what, and what it is about. What is no JSON is shown as it is. */
function readableLine(line: string, look: { colour: boolean }): string {
  const entry = jsonIn(line)
  if (typeof entry !== 'object' || entry === null) return printable(line)
  const { level, time, msg, ...about } = entry as Record<string, unknown>
  const word = levels.labels[Number(level)] ?? String(level)
  const facts = Object.entries(about).map(([name, value]) => `${name}=${shown(value)}`)
  const said = printable([msg, ...facts].filter((part) => part !== undefined).join('  '))
  return `${paint('dim', printable(String(time)), look)} ${paint(COLOURS.get(word) ?? 'dim', word.padEnd(5), look)} ${said}`
}

function shown(value: unknown): string {
  // Of an error that was logged, people want its stack as lines.
  const { stack } = Object(value) as { stack?: unknown }
  if (typeof stack === 'string') return `\n  ${stack.replaceAll('\n', '\n  ')}`
  return typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)
}
