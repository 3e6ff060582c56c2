import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { takePort } from '../support/network/take-port.ts'
import { arrives, BOUND, bothHealthy, createProject, FRONTEND, healthOf, pair } from './pairs.ts'

test('who takes the port of a paired peer that stopped gets neither our key nor what we write', async () => {
  await using backend = await daemon({ peerRetrySeconds: [0, 0, 0, 0], peerPauseSeconds: 1 })
  const frontend = await daemon(FRONTEND)
  await pair(backend, frontend)
  await bothHealthy(backend, frontend)
  await arrives(frontend, await createProject(backend))
  const card = (await frontend.fetch('/.well-known/agent.json')).text
  const port = Number(new URL(frontend.url).port)
  await frontend[Symbol.asyncDispose]()

  await using taker = await takePort(port, (path) =>
    path === '/.well-known/agent.json' ? card : '{"status":"healthy","proof":"a.b.c"}',
  )
  await createProject(backend, { name: 'Confidential' })
  await cacpd(['work', 'send', 'frontend-app', 'echo', '--param', 'text=Confidential'], {
    cwd: dirname(backend.dataDir),
  })
  await expect.poll(() => healthOf(backend), BOUND).toEqual(['stranger'])
  expect(taker.seen.filter((sent) => sent.includes('/.well-known/cacpd-proof/'))).not.toEqual([])
  expect(taker.seen.filter((sent) => !sent.startsWith('GET /'))).toEqual([])
  expect(taker.seen.join()).not.toMatch(/authorization|cacp_sk_live_|Confidential/i)
}, 30_000)
