import { setTimeout as sleep } from 'node:timers/promises'
import type { FollowedEvent } from '../../client.ts'
import { command } from '../form/command.ts'
import { numberGiven } from '../form/options.ts'
import { AGAIN_MILLIS, withDaemon } from '../form/with-daemon.ts'
import { printableLine } from '../output/printable.ts'

/** When the daemon goes away, this goes on where it was once the daemon is back. */
export const watch = command({
  about: 'show what changes, one line each, until it is ended',
  options: {
    '--lines': 'one line each (as it always is)',
    '--since <cursor>': 'first what changed since then',
    '--project <project>': 'ID or name: only in this project',
    '--kind <kinds>': 'only these kinds, separated by commas: contract, packet, …',
    '--count <number>': 'end after so many',
  },
  examples: ['cacpd watch', 'cacpd watch --kind contract --json'],
  run: async (flags, terminal) => {
    let { since } = flags
    let left =
      numberGiven(flags.count, /^[1-9]\d{0,8}$/, '--count: must be a whole number from 1 on') ??
      Number.POSITIVE_INFINITY
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
        // A daemon that was never there will not come by itself.
        if (since === flags.since && isFirst) throw error
        if ((error as { kind?: string }).kind !== undefined) throw error
      }
      if (left > 0) await sleep(AGAIN_MILLIS)
    }
  },
})

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
