import { setTimeout as sleep } from 'node:timers/promises'
import type { FollowedEvent } from '../../client.ts'
import { type OutputFlags, withDaemon } from '../derive/call-daemon.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export interface WatchFlags extends OutputFlags {
  readonly since?: string
  readonly project?: string
  readonly kind?: string
  readonly count?: string
}

/** Before a daemon that went away is looked for again. */
const AGAIN_MILLIS = 1000

/** Shows every change in a line of its own. When the daemon goes away, it goes on where it was once that is back. */
export async function watch(flags: WatchFlags, terminal: Terminal): Promise<void> {
  let since = flags.since
  let left = countOf(flags.count)
  for (let isFirst = true; left > 0; isFirst = false) {
    try {
      await withDaemon(flags, terminal, async (client) => {
        const projectId =
          flags.project && (await client.call('cacp/lookup', { projectId: flags.project })).projectId
        const query = { since, projectId, kinds: flags.kind?.split(',') }
        for await (const event of client.follow(query)) {
          since = event.cursor
          if (event.kind === undefined) continue
          terminal.print(`${flags.json === true ? JSON.stringify(event) : lineOf(event)}\n`)
          if (--left === 0) return
        }
      })
    } catch (error) {
      // One that was never there will not come by itself.
      if (since === flags.since && isFirst) throw error
      if ((error as { kind?: string }).kind !== undefined) throw error
    }
    if (left > 0) await sleep(AGAIN_MILLIS)
  }
}

function countOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError('--count: must be a whole number from 1 on')
}

/** Names and texts of others are shown as what they are: never more than a line, never a control character. */
function lineOf({ at, kind, projectId, id, value = {} }: FollowedEvent): string {
  const { name, status, version, type } = value
  const told = [
    kind,
    kind === 'packet' ? type : name,
    version === undefined ? undefined : `v${String(version)}`,
    status,
    `${projectId}/${id}`,
  ]
  const text = told.filter((one) => one !== undefined).map(String)
  return printableLine([at, ...text].join(' '))
}
