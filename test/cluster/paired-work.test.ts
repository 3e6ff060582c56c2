import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { bothHealthy, FRONTEND, pair } from './pairs.ts'

test('daemons that were paired give each other work with their keys, and whoever is shut out gets nothing done', async () => {
  await using backend = await daemon({ peerRetrySeconds: [0, 0, 0, 0] })
  await using frontend = await daemon(FRONTEND)
  await pair(backend, frontend)
  await bothHealthy(backend, frontend)
  const send = (...words: string[]) =>
    cacpd(['work', 'send', 'frontend-app', 'echo', '--param', 'text=hello', ...words, '--wait'], {
      cwd: dirname(backend.dataDir),
    })
  expect(await send()).toEqual({ exitCode: 0, out: 'hello\n', err: '' })
  expect((await frontend.rpc('cacp/run/list')).runs).toMatchObject([
    { asked_by: 'aid://example.com/backend@1.0.0', dialect: 'chiffon', attempt: 1 },
  ])

  await frontend.rpc('cacp/peer/revoke', { agentId: 'aid://example.com/backend@1.0.0' })
  const refused = await send('--json')
  expect(refused.exitCode).toBe(1)
  expect(JSON.parse(refused.out.split('\n')[0] ?? '')).toMatchObject({
    work: { status: 'failed', sends: 1, error: { code: 5004, retryable: false } },
  })
  expect((await frontend.rpc('cacp/run/list')).runs).toHaveLength(1)
}, 60_000)
