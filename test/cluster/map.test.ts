import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { arrives, BOUND, bothHealthy, createProject, FRONTEND, pair } from './pairs.ts'

test('the map tells of each repository how its daemon is doing', async () => {
  await using backend = await daemon()
  await using frontend = await daemon(FRONTEND)
  const projectId = await createProject(backend, {
    repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
  })
  await pair(backend, frontend, { project: projectId, repoName: 'frontend-app' })
  await bothHealthy(backend, frontend)
  await arrives(frontend, projectId)
  await expect
    .poll(() => backend.rpc('cacp/project/map', { projectId }), BOUND)
    .toMatchObject({
      nodes: [
        { name: 'backend-api', isOwn: true, trust: null, health: null, behind: null },
        {
          name: 'frontend-app',
          isOwn: false,
          agentId: FRONTEND.agentId,
          trust: 'approved',
          health: 'healthy',
          behind: 0,
        },
      ],
    })
})
