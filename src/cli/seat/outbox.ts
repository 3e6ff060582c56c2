import type { Command } from 'commander'
import * as outbox from '../../methods/seat/outbox.ts'
import type { ResultOf } from '../../methods/table.ts'
import { type CallFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { assertValid, paramOptions, readParams } from '../derive/param-options.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { shortIds } from '../output/short-ids.ts'
import { type Showing, showing, timeOn } from '../output/showing.ts'
import type { Terminal } from '../output/terminal.ts'

type Values = CallFlags & Record<string, unknown>
type Listed = ResultOf<'cacp/outbox/list'>

/** Shows by peer what has not arrived there, as people read it. */
export function addOutboxWords(group: Command, terminal: Terminal): void {
  const command = group.commands.find((one) => one.name() === 'list')
  command?.action(async () => {
    const values = command.opts<Values>()
    const options = paramOptions(outbox.list)
    const params = await readParams(options, values, terminal)
    assertValid(outbox.list, options, params)
    const listed = await withDaemon(values, terminal, (client) =>
      client.call('cacp/outbox/list', params as never),
    )
    if (values.json === true) return printResult(listed, values, terminal)
    terminal.print(`${describeOutbox(listed, showing(terminal, values))}\n`)
    if (listed.more)
      terminal.complain(`${paint('dim', 'there is more; --limit and --to show it', terminal)}\n`)
  })
}

function describeOutbox({ items, peers }: Listed, terminal: Showing): string {
  if (peers.length === 0 && items.length === 0) return 'everything has arrived'
  const short = shortIds(items.flatMap(({ projectId, id }) => [projectId, id]))
  return peers
    .map(({ agentId, repo, behind, why, lastSeen }) => {
      const listed = items.filter((item) => item.agentId === agentId)
      return [
        `${paint('bold', printableLine(repo), terminal)}: ${behind ?? `at least ${listed.length}`} not arrived; ${printableLine(why)}`,
        paint(
          'dim',
          `  ${printableLine(`${agentId}, last seen ${lastSeen === null ? 'never' : timeOn(terminal, lastSeen)}`)}`,
          terminal,
        ),
        ...listed.map(
          ({ kind, name, projectId, id, since }) =>
            `  ${printableLine(`${kind} ${name}, since ${timeOn(terminal, since)} (${short(projectId)}/${short(id)})`)}`,
        ),
      ].join('\n')
    })
    .join('\n\n')
}
