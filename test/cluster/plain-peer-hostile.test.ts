import { expect, test } from 'vitest'
import { createPlainPull, type PlainPullDeps } from '../../src/engine/replicate/plain/pull.ts'
import { type ServedPlainPeer, servePlainPeer } from '../support/plain-peer/server.ts'
import {
  connect,
  contractAt,
  heldContract,
  openFeature,
  projectAt,
  propose,
  REPOS,
  SLOW,
  start,
} from './plain-story.ts'

/** Has "DEEP" in what the peer answers be nested as deep as no double can hold it. */
function answerDeep({ peer }: ServedPlainPeer): void {
  const answer = peer.handleHttp.bind(peer)
  peer.handleHttp = async (...request) => {
    const { status, body } = await answer(...request)
    const text = JSON.stringify(body)
    const deep = `${'['.repeat(9000)}${']'.repeat(9000)}`
    return { status, body: text.includes('"DEEP"') ? text.replaceAll('"DEEP"', deep) : body }
  }
}

const custom = (name: string, content: object) => ({ type: 'custom', name, content })

test('a part that is nested too deep costs only itself, in a project known here or not', async () => {
  await using plain = await servePlainPeer()
  await using here = await start()
  const unknown = await plain.peer.call('cacp/project/create', { name: 'P', objective: 'o', repos: REPOS })
  const ask = (method: string, params: object) => plain.peer.call(method, params)
  await ask('cacp/contract/propose', { projectId: unknown.projectId, ...custom('Deep', { v: 'DEEP' }) })
  const good = await ask('cacp/contract/propose', { projectId: unknown.projectId, ...custom('Good', {}) })
  answerDeep(plain)
  await connect(here, plain)
  await expect
    .poll(() => contractAt(here, unknown.projectId, good.contractId), SLOW)
    .toMatchObject({ name: 'Good' })

  const projectId = await openFeature(here, plain)
  plain.peer.restart()
  const deep = await ask('cacp/contract/propose', { projectId, ...custom('Deep', { v: 'DEEP' }) })
  await ask('cacp/context/share', { projectId, type: 'test_case', content: { v: 'DEEP' } })
  await ask('cacp/context/share', { projectId, type: 'test_case', content: { v: 'flat' } })
  await expect
    .poll(async () => (await projectAt(here, projectId)).context_history, SLOW)
    .toMatchObject([{ content: { v: 'flat' } }])
  const contractId = await propose(here, projectId)
  await expect.poll(() => heldContract(plain, projectId, contractId), SLOW).toBeDefined()
  await expect
    .poll(async () => (await here.rpc('cacp/peer/list')).peers[0].aside, SLOW)
    .toContainEqual(
      expect.objectContaining({
        key: `contract ${projectId} ${deep.contractId}`,
        reason: expect.stringContaining('levels deep'),
      }),
    )
})

test.each([1, 20_000])('a list of projects without an end, %i to a page, is left', async (count) => {
  let asked = 0
  const ask = async () => {
    const page = asked++
    const projects = Array.from({ length: count }, (_, index) => ({ projectId: `p-${page}-${index}` }))
    return { text: '', isMissing: false, result: { projects, nextCursor: String(page) } }
  }
  const pull = createPlainPull({ peer: {}, conversation: { ask } } as unknown as PlainPullDeps)
  await expect(pull.all()).rejects.toMatchObject({ kind: 'unavailable' })
  expect(asked).toBeLessThanOrEqual(1000)
})
