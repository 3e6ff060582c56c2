import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BOUND, bothHealthy, FRONTEND, pair } from '../../cluster/pairs.ts'
import { daemon } from '../../support/daemons/daemon.ts'
import { dashboard } from '../../support/daemons/dashboard.ts'

const PROPOSAL = { type: 'api_endpoint', name: 'Get User', content: { path: '/users/me' } }

/** `frontend-app` with a dashboard, to which `backend-api` has proposed a contract and put a question. */
async function proposedTo(
  people: Awaited<ReturnType<typeof dashboard>>,
  backend: Awaited<ReturnType<typeof daemon>>,
) {
  const repos = [{ name: 'backend-api' }, { name: 'frontend-app' }]
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'Auth', objective: 'o', repos })
  await pair(backend, people, { project: projectId })
  await bothHealthy(backend, people)
  await expect
    .poll(
      () => people.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }).catch(() => null),
      BOUND,
    )
    .not.toBeNull()
  const { contractId } = await backend.rpc('cacp/contract/propose', { projectId, ...PROPOSAL })
  const { packetId } = await backend.rpc('cacp/context/askQuestion', {
    projectId,
    question: 'JWT or cookies?',
  })
  const ids = { projectId, contractId }
  const states = async () => {
    const { delivery } = await backend.rpc('cacp/contract/get', ids)
    const packets = (await backend.rpc('cacp/context/list', { projectId })).delivery
    return [delivery[0]?.state, packets[packetId]?.[0]?.state]
  }
  await expect.poll(states, BOUND).toEqual(['replicated', 'replicated'])
  return { ids, packetId, states }
}

describe('looking', () => {
  test('is no receipt of the agent, wherever a person looks; the agent’s own look is', async () => {
    await using backend = await daemon()
    await using people = await dashboard({ ...FRONTEND, receiptSeconds: 0 })
    const { ids, packetId, states } = await proposedTo(people, backend)
    const page = await people.open()
    const { projectId } = ids
    for (const [method, params] of [
      ['cacp/contract/get', ids],
      ['cacp/contract/list', { projectId }],
      ['cacp/project/get', { projectId }],
      ['cacp/context/list', { projectId }],
      ['cacp/context/getThread', { projectId, packetId }],
      ['cacp/inbox/list', {}],
      ['cacp/feed/read', {}],
      ['cacp/brief', {}],
      ['cacp/wait', { until: { inbox: {} }, timeoutSeconds: 1 }],
    ] as const)
      expect(await page.rpc(method, params)).toBeDefined()
    // What the person did is with the other daemon by now, so a receipt before it would be, too.
    await page.rpc('cacp/context/askQuestion', { projectId, question: 'seen by me' })
    await expect
      .poll(async () => JSON.stringify(await backend.rpc('cacp/context/list', { projectId })), BOUND)
      .toContain('seen by me')
    expect(await states()).toEqual(['replicated', 'replicated'])

    await people.rpc('cacp/contract/get', ids)
    await people.rpc('cacp/context/list', { projectId })
    await expect.poll(states, BOUND).toEqual(['seen', 'seen'])
  })

  test('tells a person how far things have come, as it tells the agent', async () => {
    await using backend = await dashboard()
    await using frontend = await dashboard(FRONTEND)
    const { ids } = await proposedTo(frontend, backend)
    const page = await backend.open()
    expect((await page.rpc('cacp/contract/get', ids)).delivery).toMatchObject([{ repo: 'frontend-app' }])
  })
})

test('what a person agrees to is known as that at the other end', async () => {
  await using backend = await daemon()
  await using people = await dashboard(FRONTEND)
  const { ids } = await proposedTo(people, backend)
  const page = await people.open()
  await page.rpc('cacp/contract/respond', { ...ids, action: 'agree', version: 1, comment: 'fine' })
  const answers = async () => (await backend.rpc('cacp/contract/get', ids)).responses
  await expect.poll(answers, BOUND).toMatchObject([{ comment: 'fine', by: { by_person: true } }])
  expect((await backend.rpc('cacp/brief', {})).text).toContain('moved by a person at «frontend-app»')
})

test('a page that goes wrong is told to wait, and commands are not', async () => {
  await using at = await dashboard({ ratePerKey: 60 })
  const [page, other] = [await at.open(), await at.open()]
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await at.fetch('/peers', { headers: page.getting })).status)
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200))
  expect(statuses.slice(10)).toEqual([429, 429])
  expect((await at.fetch('/peers', { headers: other.getting })).status).toBe(200)
  for (let n = 0; n < 20; n++) expect((await at.fetch('/peers')).status).toBe(200)
})

test('the other daemons of this machine are listed with where people see them', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'cacpd-state-'))
  await using at = await dashboard({ stateDir })
  const page = await at.open()
  const listed = async () => (await at.fetch('/ui/daemons', { headers: page.getting })).json.daemons
  expect(await listed()).toEqual([])
  await using frontend = await dashboard({ stateDir, ...FRONTEND })
  await using off = await daemon({ stateDir, repo: 'off', ui: false })
  expect(await listed()).toEqual([
    { repo: 'frontend-app', url: frontend.url, uiUrl: `${frontend.url}/ui/` },
    { repo: 'off', url: off.url },
  ])
  await frontend[Symbol.asyncDispose]()
  expect(await listed()).toEqual([{ repo: 'off', url: off.url }])
  // Its session is its own.
  expect((await off.fetch('/peers', { headers: page.getting })).status).toBe(401)
})
