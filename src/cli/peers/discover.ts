import type { FoundAgent } from '../../methods/peers/adp.ts'
import type { ParamsOf } from '../../methods/table.ts'
import { isAid } from '../../protocol/agent/aid.ts'
import { methodCommand } from '../derive/method-commands.ts'
import { UsageError } from '../program/report.ts'

export const discover = methodCommand('cacp/adp/search', {
  only: ['query', 'role', 'language', 'limit'],
  words: [{ form: '[query]', about: 'words to look for (instead of --query)', param: 'query' }],
  options: { '--add [aid]': 'ask this one, or the only one that is found, to let this daemon in' },
  examples: [
    'cacpd discover',
    'cacpd discover checkout --role frontend --language typescript',
    'cacpd discover --add aid://example.com/frontend-agent@1.0.0',
  ],
  adjust: (params, { add }) => {
    if (typeof add !== 'string' || isAid(add)) return params
    throw new UsageError('--add: must be an agent ID as `cacpd discover` lists it, or nothing')
  },
  ask: async (client, params: ParamsOf<'cacp/adp/search'>, { given: { add } }) => {
    if (typeof add === 'string') return client.call('cacp/adp/add', { agentId: add })
    const found = await client.call('cacp/adp/search', params)
    return add === true ? client.call('cacp/adp/add', { agentId: theOnlyOne(found.agents) }) : found
  },
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
