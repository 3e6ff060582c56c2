import { dataDirInUse } from '../../io/background/place.ts'
import { lastLines, logBytes, newLines } from '../../io/background/read-log.ts'
import { logPath } from '../../io/background/state.ts'
import { DataDirError } from '../../io/place/data-dir.ts'
import type { OutputFlags } from '../derive/call-daemon.ts'
import type { Terminal } from '../output/terminal.ts'
import { firstSignal } from '../program/first-signal.ts'
import { UsageError } from '../program/report.ts'
import { readableLine } from './log-line.ts'

export interface LogFlags extends OutputFlags {
  readonly follow?: boolean
  readonly lines: string
}

const MOST_LINES = 100_000

/** `cacpd logs` */
export async function showLogs(flags: LogFlags, terminal: Terminal): Promise<void> {
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
}
