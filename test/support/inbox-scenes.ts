import { expect } from 'vitest'
import { BACKEND, type CallAs, type Desk, openDesk, openFeature } from './desk.ts'

/** What two repos have done so far, so that one of them has something to do. */
export interface Scene {
  desk: Desk
  projectId: string
  backend: CallAs
  frontend: CallAs
}

/** The frontend begins another feature, for which it needs the backend. */
export async function namingBackend({ frontend }: Pick<Scene, 'frontend'>): Promise<{ projectId: string }> {
  const repos = [{ name: 'frontend-app' }, { name: 'backend-api' }]
  const { projectId } = await frontend('cacp/project/create', {
    name: 'User Auth Feature',
    objective: 'Once more',
    repos,
  })
  await frontend('cacp/project/join', { projectId, repoName: 'frontend-app' })
  return { projectId }
}

export async function proposed({
  projectId,
  backend,
}: Scene): Promise<{ projectId: string; contractId: string }> {
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User Profile',
    content: { path: '/profile' },
  })
  return { projectId, contractId }
}

export async function agreed(scene: Scene) {
  const named = await proposed(scene)
  await scene.frontend('cacp/contract/respond', { ...named, action: 'agree' })
  return named
}

export async function complete(
  call: CallAs,
  named: { projectId: string; contractId: string },
): Promise<void> {
  await call('cacp/implementation/start', named)
  await call('cacp/implementation/complete', { ...named, files: ['a.ts'] })
}

export async function implemented(scene: Scene) {
  const named = await agreed(scene)
  await complete(scene.backend, named)
  await complete(scene.frontend, named)
  return named
}

/** The frontend claims the backend's repo of another project, which the backend claimed first, on its own daemon. */
export async function outvoted({ desk, frontend }: Pick<Scene, 'desk' | 'frontend'>): Promise<{
  projectId: string
  since: string
}> {
  const { projectId } = await frontend('cacp/project/create', {
    name: 'User Auth Feature',
    objective: 'Once more',
    repos: [{ name: 'backend-api' }],
  })
  await frontend('cacp/project/join', { projectId, repoName: 'backend-api' })
  const { repos, created_at: since } = await frontend('cacp/project/get', { projectId })
  const claim = { agent_id: BACKEND, claimed_at: since, released_at: null }
  const claims = [{ ...claim, agent_endpoint: null, endpoint_at: since }]
  const caller = { kind: 'peer', agentId: BACKEND } as const
  await desk.send('cacp/repo/sync', { projectId, repo: { ...repos[0], claims } }, { caller })
  return { projectId, since }
}

/** What another daemon did on the other side of a partition, as it arrives here. */
export async function conflicting(scene: Scene): Promise<void> {
  const { desk, projectId, frontend } = scene
  const named = await proposed(scene)
  const before = await scene.backend('cacp/contract/get', { ...named, includeHistory: true })
  await frontend('cacp/contract/update', { ...named, content: { path: '/theirs' } })
  const { repos } = await scene.backend('cacp/project/get', { projectId })
  const own = repos.find(({ name }) => name === 'backend-api')
  const contract = {
    ...before,
    version: 2,
    content: { path: '/ours' },
    proposed_by: own?.repo_id,
    history: [{ version: 1, content: before.content, proposed_by: before.proposed_by, ...before.head }],
    head: { ...before.head, parent: before.head.revision, timestamp: '2026-11-16T09:00:00.500000Z' },
  }
  const caller = { kind: 'peer', agentId: BACKEND } as const
  expect(await desk.send('cacp/contract/sync', { projectId, contract }, { caller })).toMatchObject({
    status: 'updated',
  })
}

export async function openScene(): Promise<Scene & AsyncDisposable> {
  const desk = await openDesk()
  return { desk, ...(await openFeature(desk)), [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose]() }
}

export const kindsIn = async (call: CallAs): Promise<string[]> =>
  (await call('cacp/inbox/list', {})).items.map(({ kind }) => kind)
