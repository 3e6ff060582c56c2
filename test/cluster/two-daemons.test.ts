import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'

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

  test('a repo that is named in a project has the role and language that its own daemon tells of it', async () => {
    await using backend = await daemon({ open: true, role: 'backend', language: 'go' })
    await using frontend = await daemon({ ...FRONTEND, language: 'typescript' })
    await backend.rpc('cacp/peer/add', { url: frontend.url })
    const health = async () => (await backend.rpc('cacp/peer/list')).peers[0]?.health
    await expect.poll(health, { timeout: 10_000 }).toBe('healthy')
    const named = ['backend-api', 'frontend-app', 'mobile-app']
    const reposOf = async (repos: object[]) => {
      const { projectId } = await backend.rpc('cacp/project/create', { name: 'Auth', objective: '', repos })
      await backend.rpc('cacp/project/addRepo', { projectId, name: 'docs' })
      const project = await backend.rpc('cacp/project/get', { projectId })
      return Object.fromEntries(
        project.repos.map((one: { name: string; role: string; language: string }) => [
          one.name,
          `${one.role} ${one.language}`,
        ]),
      )
    }
    const known = { 'backend-api': 'backend go', 'frontend-app': 'frontend typescript' }
    const unknown = { 'mobile-app': 'shared unknown', docs: 'shared unknown' }
    expect(await reposOf(named.map((name) => ({ name })))).toEqual({ ...known, ...unknown })
    expect(await reposOf([{ name: 'frontend-app', role: 'web' }])).toMatchObject({
      'frontend-app': 'web typescript',
    })
    await backend.restart()
    expect(await reposOf([{ name: 'frontend-app' }])).toMatchObject({ 'frontend-app': 'frontend typescript' })
  })
})
