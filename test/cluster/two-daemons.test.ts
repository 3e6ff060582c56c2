import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemon.ts'

const FRONTEND = {
  repo: 'frontend-app',
  role: 'frontend',
  agentId: 'aid://example.com/frontend@1.0.0',
  open: true,
}

describe('two daemons', () => {
  test('a change made at one is readable at the other, and goes on from there', async () => {
    await using backend = await daemon({ open: true })
    await using frontend = await daemon(FRONTEND)
    const added = await backend.rpc('cacp/peer/add', { url: frontend.url })
    expect(added).toEqual({ agentId: FRONTEND.agentId, repoName: 'frontend-app', theirStatus: 'registered' })
    const { projectId } = await backend.rpc('cacp/project/create', {
      name: 'Auth',
      objective: 'login',
      repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
    })
    await expect.poll(() => frontend.rpc('cacp/project/get', { projectId }).catch(() => null)).not.toBeNull()
    await frontend.rpc('cacp/project/join', { projectId })
    const { contractId } = await backend.rpc('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Me',
      content: { v: 1 },
    })
    await expect
      .poll(() =>
        frontend.rpc('cacp/contract/respond', { projectId, contractId, action: 'agree' }).catch(() => null),
      )
      .toMatchObject({ status: 'agreed' })
    await expect
      .poll(() => backend.rpc('cacp/contract/get', { projectId, contractId }))
      .toMatchObject({ status: 'agreed' })
    await expect
      .poll(async () => await backend.rpc('cacp/project/get', { projectId }))
      .toEqual(await frontend.rpc('cacp/project/get', { projectId }))
  })
})
