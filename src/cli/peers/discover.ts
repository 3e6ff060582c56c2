import type { FoundAgent } from '../../methods/peers/adp.ts'
import { isAid } from '../../protocol/agent/aid.ts'
import { rendered } from '../form/answer.ts'
import { command } from '../form/command.ts'
import { numberGiven } from '../form/number-given.ts'
import { renderRows } from '../output/render.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export const discover = command({
  about: 'find agents that are registered with the exchange of this daemon',
  words: { '[query]': 'words to look for' },
  options: {
    '--role <role>': 'only those of this role',
    '--language <language>': 'only those of this language',
    '--limit <number>': 'how many to list at most (default: 20)',
    '--add [aid]': 'ask this one, or the only one that is found, to let this daemon in',
  },
  examples: [
    'cacpd discover',
    'cacpd discover checkout --role frontend --language typescript',
    'cacpd discover --add aid://example.com/frontend-agent@1.0.0',
  ],
  ask: ({ query, role, language, limit: most, add }) => {
    if (typeof add === 'string' && !isAid(add))
      throw new UsageError('--add: must be an agent ID as `cacpd discover` lists it, or nothing')
    const limit = numberGiven(most, /^[1-9]\d*$/, '--limit: must be a whole number from 1')
    return async (client) => {
      if (typeof add === 'string') return client.call('cacp/adp/add', { agentId: add })
      const found = await client.call('cacp/adp/search', { query, role, language, limit })
      return add === true ? client.call('cacp/adp/add', { agentId: theOnlyOne(found.agents) }) : found
    }
  },
  show: (result, screen) => ('agents' in result ? describe(result.agents, screen) : rendered(result, screen)),
  hint: (result) =>
    'agents' in result || result.theirStatus === 'registered'
      ? undefined
      : 'next: Ask its operator for the URL that `cacpd invite` prints there, and `cacpd join` it here',
})

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
