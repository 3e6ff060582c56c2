import type { ResultOf } from '../../methods/table.ts'
import { type OutputFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { shortIds } from '../output/short-ids.ts'
import { type Showing, showing, timeOn } from '../output/showing.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

type FoundHit = ResultOf<'cacp/search'>['hits'][number]

export interface SearchFlags extends OutputFlags {
  readonly project?: string
  readonly kind?: FoundHit['kind']
  readonly limit?: string
}

/** `cacpd search WORDS…` */
export async function search(
  words: readonly string[],
  flags: SearchFlags,
  terminal: Terminal,
): Promise<void> {
  const { project, kind, limit } = flags
  if (limit !== undefined && !/^[1-9]\d{0,2}$/.test(limit))
    throw new UsageError('--limit: must be a whole number from 1 to 100')
  const result = await withDaemon(flags, terminal, (client) =>
    client.call('cacp/search', {
      query: words.join(' '),
      ...(project === undefined ? {} : { project }),
      ...(kind === undefined ? {} : { kind }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    }),
  )
  if (flags.json === true) return printResult(result, flags, terminal)
  const { hits, total } = result
  const short = shortIds(hits.flatMap(({ id, contractId = '' }) => [id, contractId]))
  terminal.print(
    `${hits.length === 0 ? 'none' : hits.map((hit) => describe(hit, short, showing(terminal, flags))).join('\n')}\n`,
  )
  if (total > hits.length)
    terminal.complain(
      `${paint('dim', `the best ${hits.length} of ${total}; --limit shows more`, terminal)}\n`,
    )
}

function describe(
  { kind, name, id, contractId, projectName, snippet, at }: FoundHit,
  short: (id: string) => string,
  terminal: Showing,
): string {
  const contract = contractId === undefined ? '' : ` to contract ${short(contractId)}`
  return [
    `${kind} ${paint('bold', printableLine(name), terminal)} ${short(id)}`,
    `  ${paint('dim', `in ${printableLine(projectName)}${contract}, ${timeOn(terminal, at)}`, terminal)}`,
    ...(snippet === '' ? [] : [`  ${printableLine(snippet)}`]),
  ].join('\n')
}
