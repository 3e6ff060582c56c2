import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from '../src/io/audit/log.ts'
import { daemon } from './support/daemons/daemon.ts'

const FRONTEND = { repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' }
const JSON_BODY = { 'content-type': 'application/json' }

test('the whole log of a pairing, a token and calls with them, right and wrong, holds none of their secrets', async () => {
  let log = ''
  const write = (line: string) => {
    log += line
  }
  const overrides = { log: createLog('trace', { write }) }
  const secrets: string[] = []
  {
    await using backend = await daemon({}, overrides)
    await using frontend = await daemon(FRONTEND, overrides)
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    const { url } = await backend.rpc('cacp/invite/create', {})
    await frontend.rpc('cacp/peer/join', { url })
    await expect
      .poll(() => frontend.rpc('cacp/project/get', { projectId }).catch(() => null), { timeout: 10_000 })
      .not.toBeNull()
    const { token } = await backend.rpc('cacp/token/issue', {
      projectId,
      subject: FRONTEND.agentId,
      permissions: ['project:read'],
    })
    for (const headers of [
      { authorization: '', 'x-project-token': token },
      { authorization: `Bearer ${token}x` },
    ])
      await backend.rpc('cacp/project/get', { projectId }, headers).catch(() => {})
    // Used twice, and then wrong.
    for (const used of [url, `${url}x`]) await frontend.rpc('cacp/peer/join', { url: used }).catch(() => {})
    await backend.fetch('/pair', {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ secret: url }),
    })
    await backend.rpc('cacp/identity/rotate')
    await backend.rpc('cacp/peer/revoke', { agentId: FRONTEND.agentId })

    const invited = new URL(url).hash.slice(1).split('.')[0] ?? ''
    for (const { dataDir } of [backend, frontend])
      secrets.push(JSON.parse(await readFile(join(dataDir, 'identity.json'), 'utf8')).key.d)
    secrets.push(invited, token, backend.key, frontend.key)
  }
  expect(log).toContain('"msg":"listening"')
  expect(log).toContain('"msg":"stopped"')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(40)
    expect(log).not.toContain(secret)
  }
  expect(log).not.toMatch(/cacp_(?:op|sk_live)_\w|\beyJ/)
})
