import { dataDirInUse } from '../../io/background/place.ts'
import { lastLines, logBytes, newLines } from '../../io/background/read-log.ts'
import { logPath } from '../../io/background/state.ts'
import { DataDirError } from '../../io/place/data-dir.ts'
import { command } from '../form/command.ts'
import { firstSignal } from '../program/first-signal.ts'
import { UsageError } from '../program/report.ts'
import { readableLine } from './log-line.ts'

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
