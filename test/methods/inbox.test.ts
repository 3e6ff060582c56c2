import { describe, expect, test } from 'vitest'
import { ITEM_KINDS, type ItemKind } from '../../src/domain/inbox.ts'
import { METHODS } from '../../src/methods/table.ts'
import { BACKEND, type CallAs, type Desk, openDesk, openFeature } from '../support/desk.ts'

interface Scene {
  desk: Desk
  projectId: string
  backend: CallAs
  frontend: CallAs
}

async function proposed({ projectId, backend }: Scene): Promise<{ projectId: string; contractId: string }> {
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'api_endpoint',
    name: 'Get User Profile',
    content: { path: '/profile' },
  })
  return { projectId, contractId }
}

async function agreed(scene: Scene) {
  const named = await proposed(scene)
  await scene.frontend('cacp/contract/respond', { ...named, action: 'agree' })
  return named
}

async function complete(call: CallAs, named: { projectId: string; contractId: string }): Promise<void> {
  await call('cacp/implementation/start', named)
  await call('cacp/implementation/complete', { ...named, files: ['a.ts'] })
}

async function implemented(scene: Scene) {
  const named = await agreed(scene)
  await complete(scene.backend, named)
  await complete(scene.frontend, named)
  return named
}

/** What another daemon did on the other side of a partition, as it arrives here. */
async function conflicting(scene: Scene): Promise<void> {
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

/** Brings about an item of each kind, and says whose it is. */
const SCENES: Record<ItemKind, { whose: 'backend' | 'frontend'; play: (scene: Scene) => Promise<unknown> }> =
  {
    answer_contract: { whose: 'frontend', play: proposed },
    revise_contract: {
      whose: 'backend',
      play: async (scene) =>
        scene.frontend('cacp/contract/respond', { ...(await proposed(scene)), action: 'request_change' }),
    },
    resolve_conflict: { whose: 'backend', play: conflicting },
    start_implementation: { whose: 'backend', play: agreed },
    revise_implementation: {
      whose: 'backend',
      play: async (scene) =>
        scene.frontend('cacp/implementation/verify', { ...(await implemented(scene)), result: 'failure' }),
    },
    waits_for_me: {
      whose: 'backend',
      play: async (scene) => {
        const named = await agreed(scene)
        await scene.backend('cacp/implementation/start', named)
        await complete(scene.frontend, named)
      },
    },
    verify_contract: { whose: 'backend', play: implemented },
    answer_question: {
      whose: 'backend',
      play: ({ projectId, frontend }) =>
        frontend('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' }),
    },
    accept_answer: {
      whose: 'frontend',
      play: async ({ projectId, frontend, backend }) => {
        const asked = await frontend('cacp/context/askQuestion', { projectId, question: 'JWT or cookies?' })
        await backend('cacp/context/share', {
          projectId,
          type: 'dependency_info',
          content: { answer: 'JWT' },
          replyTo: asked.packetId,
        })
      },
    },
    fulfil_file_request: {
      whose: 'backend',
      play: ({ projectId, frontend }) =>
        frontend('cacp/file/request', { projectId, description: 'A sample login response' }),
    },
  }

async function openScene(): Promise<Scene & AsyncDisposable> {
  const desk = await openDesk()
  return { desk, ...(await openFeature(desk)), [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose]() }
}

const kindsIn = async (call: CallAs): Promise<string[]> =>
  (await call('cacp/inbox/list', {})).items.map(({ kind }) => kind)

describe('what an item says to do', () => {
  test.each(ITEM_KINDS)('%s is gone after exactly that call', async (kind) => {
    await using scene = await openScene()
    const { whose, play } = SCENES[kind]
    await play(scene)
    const { items, count } = await scene[whose]('cacp/inbox/list', {})
    expect(count).toBe(items.length)
    const item = items.find((one) => one.kind === kind)
    expect(item).toMatchObject({
      projectId: scene.projectId,
      projectName: 'User Auth Feature',
      from: { repo: whose === 'backend' ? 'frontend-app' : 'backend-api' },
    })
    const { next } = item ?? expect.fail(`no ${kind} among ${items.map((one) => one.kind)}`)
    expect(METHODS.map(({ name }) => name as string)).toContain(next.method)
    for (const key of next.fill ?? []) expect(next.params).toHaveProperty(key)
    await scene[whose](next.method as never, next.params as never)
    expect(await kindsIn(scene[whose])).not.toContain(kind)
  })
})
