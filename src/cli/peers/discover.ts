import type { Client } from '../../client.ts'
import type { FoundAgent } from '../../methods/services.ts'
import { isAid } from '../../protocol/agent/aid.ts'
import { type OutputFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { renderRows } from '../output/render.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export interface DiscoverFlags extends OutputFlags {
  readonly role?: string
  readonly language?: string
  readonly limit?: string
  /** True: the one that is found. */
  readonly add?: string | true
}

/** `cacpd discover [QUERY]` */
export async function discover(
  query: string | undefined,
  flags: DiscoverFlags,
  terminal: Terminal,
): Promise<void> {
  const { add } = flags
  if (typeof add === 'string' && !isAid(add))
    throw new UsageError('--add: must be an agent ID as `cacpd discover` lists it, or nothing')
  if (flags.limit !== undefined && !/^[1-9]\d*$/.test(flags.limit))
    throw new UsageError('--limit: must be a whole number from 1')
  await withDaemon(flags, terminal, async (client) => {
    if (typeof add === 'string') return addAgent(add, { client, flags, terminal })
    const { agents, total } = await client.call('cacp/adp/search', searchOf(query, flags))
    if (add === true) return addAgent(theOnlyOne(agents), { client, flags, terminal })
    if (flags.json === true) printResult({ agents, total }, flags, terminal)
    else terminal.print(`${describe(agents, terminal)}\n`)
  })
}

const searchOf = (query: string | undefined, { role, language, limit }: DiscoverFlags) => ({
  ...(query === undefined ? {} : { query }),
  ...(role === undefined ? {} : { role }),
  ...(language === undefined ? {} : { language }),
  ...(limit === undefined ? {} : { limit: Number(limit) }),
})

interface Adding {
  readonly client: Client
  readonly flags: DiscoverFlags
  readonly terminal: Terminal
}

async function addAgent(agentId: string, { client, flags, terminal }: Adding): Promise<void> {
  const added = await client.call('cacp/adp/add', { agentId })
  printResult(added, flags, terminal)
  if (added.theirStatus !== 'registered')
    terminal.complain(
      'next: Ask its operator for the URL that `cacpd invite` prints there, and `cacpd join` it here\n',
    )
}

function theOnlyOne(agents: readonly FoundAgent[]): string {
  const [only, ...others] = agents
  if (only === undefined) throw new Error('None was found')
  if (others.length === 0) return only.agentId
  throw new UsageError(`--add: ${agents.length} were found; name one of them, as in --add ${only.agentId}`)
}

function describe(agents: readonly FoundAgent[], terminal: Terminal): string {
  if (agents.length === 0) return 'none'
  const rows = agents.map((agent) => ({
    'agent ID': agent.agentId,
    name: agent.name,
    role: agent.role,
    languages: agent.languages.join(', '),
    signed: agent.signature === 'valid' ? 'yes' : agent.signature === 'none' ? 'no' : 'WRONG',
    endpoint: agent.endpoint,
  }))
  return renderRows(rows, terminal)
}
