import { expect, test } from 'vitest'
import { BACKEND, FRONTEND, openDesk } from '../../support/desk/desk.ts'

test('a project in short has its repos, who holds them and how much is in it, but nothing of that', async () => {
  await using desk = await openDesk()
  const repos = [{ name: 'backend-api', role: 'backend' }, { name: 'frontend-app' }]
  const { projectId } = await desk.call('cacp/project/create', { name: 'Auth', objective: 'log in', repos })
  await desk.call('cacp/contract/propose', { projectId, type: 'custom', name: 'C', content: { secret: 1 } })
  await desk.call('cacp/context/askQuestion', { projectId, question: 'which?' })
  const { projects } = await desk.call('cacp/project/overview', { projectId })
  expect(projects).toEqual([
    {
      projectId,
      name: 'Auth',
      objective: 'log in',
      archived: false,
      createdAt: expect.any(String),
      status: 'planning',
      repos: [
        { repoId: expect.any(String), name: 'backend-api', role: 'backend', agentId: BACKEND },
        { repoId: expect.any(String), name: 'frontend-app', role: 'shared', agentId: null },
      ],
      repoCount: 2,
      contractCount: 1,
      packetCount: 1,
    },
  ])
})

test('all projects in short come in pages, without those that are archived or not to be seen', async () => {
  await using desk = await openDesk()
  const create = async (name: string, visibility: 'all' | 'members' = 'all') =>
    (await desk.call('cacp/project/create', { name, objective: 'o', visibility })).projectId
  const ids = [await create('first'), await create('kept among us', 'members'), await create('last')]
  const gone = await create('gone')
  await desk.call('cacp/project/archive', { projectId: gone })

  const first = await desk.call('cacp/project/overview', { limit: 2 })
  expect(first.projects.map((one) => one.projectId)).toEqual(ids.slice(0, 2))
  const rest = await desk.call('cacp/project/overview', { limit: 2, cursor: first.nextCursor })
  expect(rest).toEqual({ projects: [expect.objectContaining({ projectId: ids[2] })] })
  const all = await desk.call('cacp/project/overview', { includeArchived: true })
  expect(all.projects.at(-1)).toMatchObject({ projectId: gone, archived: true })
  const caller = { kind: 'peer', agentId: FRONTEND, repoName: 'frontend-app' } as const
  const seen = (await desk.send('cacp/project/overview', {}, { caller })) as typeof all
  expect(seen.projects.map((one) => one.projectId)).toEqual([ids[0], ids[2]])
})
