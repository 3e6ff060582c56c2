import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { daemon } from '../../support/daemons/daemon.ts'
import { cacpd } from '../captured-terminal.ts'

const FRONTEND = 'aid://example.com/frontend@1.0.0'
const STRANGER = 'aid://example.com/stranger@1.0.0'

test('cacpd person says what waits for you, for the agent and for others', async () => {
  await using running = await daemon()
  const cwd = dirname(running.dataDir)
  expect((await cacpd(['person'], { cwd })).out).toBe(
    'for you: nothing\nfor the agent: nothing\nwaiting for: nothing\n',
  )
  const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
  const { projectId } = await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
  const asFrontend = { 'x-agent-id': FRONTEND }
  await running.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, asFrontend)
  const contract = { projectId, type: 'custom', content: {} }
  await running.rpc('cacp/contract/propose', { ...contract, name: 'Profile' }, asFrontend)
  await running.rpc('cacp/contract/propose', { ...contract, name: 'Avatar' })
  await running.fetch('/peers/register', {
    method: 'POST',
    headers: { authorization: '', 'content-type': 'application/json' },
    body: JSON.stringify({ agentId: STRANGER, endpoint: 'http://127.0.0.1:9', repoName: 'web shop' }),
  })
  const { exitCode, out, err } = await cacpd(['person'], { cwd })
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
  expect(out.replaceAll(/\d+ s ago|just now/g, 'AGO')).toBe(`for you: 1
  approve_peer web shop
    «web shop» at «http://127.0.0.1:9» asks to be let in (since AGO)
    cacpd peers approve ${STRANGER}
for the agent: 1
  answer_contract Profile, in Login, since AGO
waiting for: 1
  Avatar: frontend-app to answer it, since AGO, replicated
`)
  const asked = JSON.parse((await cacpd(['person', '--json'], { cwd })).out)
  expect(asked.counts).toEqual({ person: 1, agent: 1, overdue: 0, waiting: 1, total: 1 })
})
