import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'

const SOON = { timeout: 15_000, interval: 50 }

/** Stands between two daemons, and alters what is handed over. */
async function tamperingProxy(to: string, alter: (body: string) => string) {
  let altered = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const sent = alter(body)
    if (sent !== body) altered++
    const { authorization, 'x-agent-id': agentId } = request.headers
    const answer = await fetch(to + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
        ...(agentId === undefined ? {} : { 'x-agent-id': String(agentId) }),
      },
      ...(request.method === 'POST' ? { body: sent } : {}),
    })
    response.statusCode = answer.status
    response.end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    altered: () => altered,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('what somebody alters on the way is refused and told, and the true words come by another way', async () => {
  await using backend = await daemon({ open: true })
  await using frontend = await daemon({
    repo: 'frontend-app',
    agentId: 'aid://example.com/frontend@1.0.0',
    open: true,
  })
  await using between = await tamperingProxy(frontend.url, (body) =>
    body.includes('cacp/sync/statements') ? body.replaceAll('the truth', 'a big lie') : body,
  )
  await backend.rpc('cacp/peer/add', { url: between.url })
  const { projectId } = await backend.rpc('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
  })
  const proposed = { projectId, type: 'custom', name: 'Me', content: { says: 'the truth' } }
  const { contractId } = await backend.rpc('cacp/contract/propose', proposed)
  await expect.poll(between.altered, SOON).toBeGreaterThan(0)
  await expect
    .poll(async () => (await frontend.rpc('cacp/peer/list')).peers[0]?.refused, SOON)
    .toMatchObject({ newest: [{ reason: 'id is not the hash of what it says' }] })

  await frontend.rpc('cacp/peer/sync')
  await expect
    .poll(() => frontend.rpc('cacp/contract/get', { projectId, contractId }).catch(() => null), SOON)
    .toMatchObject({ content: { says: 'the truth' } })
}, 60_000)
