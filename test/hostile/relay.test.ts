import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { cacpd } from '../cli/captured-terminal.ts'
import { createProject, FRONTEND } from '../cluster/pairs.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { refusedOf } from './invited.ts'
import { TAMPERED, tamperingRelay } from './tampering-relay.ts'

/** Three in a line, of which the one in the middle tampers with everything that it hands on. */

const SOON = { timeout: 20_000 }

test('two daemons stay right whose only way to each other tampers with everything, and tell what was refused', async () => {
  await using backend = await daemon()
  await using frontend = await daemon(FRONTEND)
  await using middle = await tamperingRelay('middle')
  const own = await work(backend, 'backend-api')
  const others = await work(frontend, 'frontend-app')
  await middle.join(backend)
  await middle.join(frontend)
  await expect.poll(() => middle.heard.size, SOON).toBeGreaterThan(6)
  for (const at of [backend, frontend])
    await expect.poll(async () => (await refusedOf(at, middle.agentId)).count, SOON).toBeGreaterThan(6)
  for (const [at, mine] of [
    [backend, own],
    [frontend, others],
  ] as const) {
    const { peers } = await at.rpc('cacp/peer/list')
    expect(JSON.stringify(await at.rpc('cacp/project/get', { projectId: mine.projectId }))).toBe(mine.text)
    expect(JSON.stringify(await at.rpc('cacp/project/overview'))).not.toContain(TAMPERED)
    expect(peers).toHaveLength(1)
    const { reasons } = await refusedOf(at, middle.agentId)
    expect(reasons.join()).toContain('id is not the hash of what it says')
    const { out } = await cacpd(['peers'], { cwd: dirname(at.dataDir) })
    expect(out).toContain(middle.agentId)
    expect(out).toMatch(/refused/)
  }
})

/** A project, with something in it. */
async function work(at: TestDaemon, repoName: string): Promise<{ projectId: string; text: string }> {
  const projectId = await createProject(at)
  await at.rpc('cacp/project/join', { projectId, repoName }).catch(() => {})
  await at.rpc('cacp/contract/propose', { projectId, type: 'custom', name: 'Me', content: { is: repoName } })
  await at.rpc('cacp/context/share', { projectId, type: 'decision', content: { is: repoName } })
  return { projectId, text: JSON.stringify(await at.rpc('cacp/project/get', { projectId })) }
}
