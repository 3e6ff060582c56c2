import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { agentAt } from '../support/daemons/mcp.ts'

const FRONTEND = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }

test('an agent tells another repository something, and reads and ends what it is told', async () => {
  await using backend = await daemon()
  await using agent = await agentAt(backend, '2026-07-28')
  const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
  await backend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, FRONTEND)
  const message = { projectId, type: 'dependency_info', content: { message: 'Staging is back' } }
  await agent.use('context_share', { ...message, to: ['frontend-app'] })
  const { items } = await backend.rpc('cacp/inbox/list', {}, FRONTEND)
  expect(items).toMatchObject([{ kind: 'read_message', message: 'Staging is back' }])
  const question = { projectId, type: 'question', content: { question: 'Why?' }, to: ['frontend-app'] }
  expect(await agent.fail('context_share', question)).toMatch(
    /^to: a question is for all repositories\nnext: /,
  )

  const long = { message: 'It is back. '.repeat(50).trim() }
  await backend.rpc('cacp/context/share', { ...message, content: long, to: ['backend-api'] }, FRONTEND)
  const told = await agent.use('inbox', {})
  expect(told).toContain(`  says «${long.message}»`)
  const [, call = ''] = /next: call (\{.*\})/.exec(told) ?? expect.fail(told)
  await agent.use('call', JSON.parse(call))
  expect(await agent.use('inbox', {})).toContain('Nothing waits for you.')
})
