import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { agentAt, ERAS } from '../support/daemons/mcp.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

test.each(ERAS)(
  'of two clients of %s that give no name, the second is told that the first took it',
  async (era) => {
    await using backend = await daemon()
    const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
    await backend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
    await backend.rpc('cacp/context/askQuestion', { projectId, question: 'JWT?' }, FRONTEND)
    await using first = await agentAt(backend, era)
    await using second = await agentAt(backend, era)
    const call = { method: 'cacp/inbox/take', params: { itemId: 'JWT?' } }
    const taken = await first.use('call', call)
    const [, by = ''] = /"by":"((?:MCP )?session [\w-]+)"/.exec(taken) ?? expect.fail(taken)
    expect(await second.fail('call', call)).toContain(`${by} has taken this item until`)
    const again = era === '2025-11-25' ? call : { ...call, params: { ...call.params, session: by } }
    expect(await first.use('call', again)).toContain(`"by":"${by}"`)
  },
)
