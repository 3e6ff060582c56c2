import { expect, test } from 'vitest'
import { BACKEND, FRONTEND, OUTSIDER, openDesk, openFeature } from '../../support/desk/desk.ts'

const PROFILE = { type: 'api_endpoint', name: 'Get User Profile', content: { path: '/me' } } as const

test('a summary has the project, what is in force, what was decided, and who has to do what', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const { contractId } = await backend('cacp/contract/propose', { projectId, ...PROFILE })
  await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
  await backend('cacp/contract/update', { projectId, contractId, content: { path: '/v2' } })
  await frontend('cacp/contract/respond', { projectId, contractId, action: 'request_change', comment: 'no' })
  const { packetId } = await frontend('cacp/context/recordDecision', {
    projectId,
    decision: 'Auth',
    chosen: 'JWT',
    rationale: 'stateless',
  })
  const asked = await frontend('cacp/context/askQuestion', { projectId, question: 'Which roles?' })
  expect(await backend('cacp/project/summary', { projectId })).toEqual({
    projectId,
    name: 'User Auth Feature',
    objective: 'Implement OAuth 2.0 login across frontend and backend',
    status: 'planning',
    archived: false,
    repos: [
      { name: 'backend-api', role: 'backend', agentId: BACKEND },
      { name: 'frontend-app', role: 'frontend', agentId: FRONTEND },
    ],
    inForce: [
      {
        contractId,
        name: 'Get User Profile',
        type: 'api_endpoint',
        version: 1,
        status: 'agreed',
        parties: ['backend-api', 'frontend-app'],
        proposed: { version: 2, status: 'negotiating' },
      },
    ],
    decisions: [
      {
        packetId,
        repo: 'frontend-app',
        at: expect.any(String),
        decision: 'Auth',
        chosen: 'JWT',
        rationale: 'stateless',
      },
    ],
    owed: [
      {
        kind: 'contract',
        id: contractId,
        name: 'Get User Profile',
        version: 2,
        status: 'negotiating',
        repos: ['backend-api'],
        to: 'propose a new version',
        objectedBy: ['frontend-app'],
        since: expect.any(String),
      },
      {
        kind: 'contract',
        id: contractId,
        name: 'Get User Profile',
        version: 1,
        status: 'agreed',
        repos: ['backend-api', 'frontend-app'],
        to: 'implement it',
        since: expect.any(String),
      },
      {
        kind: 'question',
        id: asked.packetId,
        name: 'Which roles?',
        repos: [],
        to: 'answer it',
        from: 'frontend-app',
        since: expect.any(String),
      },
    ],
    truncated: false,
  })
})

test('a summary leaves out what was withdrawn, answered or taken back', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const { contractId } = await backend('cacp/contract/propose', { projectId, ...PROFILE })
  await backend('cacp/contract/withdraw', { projectId, contractId })
  const { packetId } = await frontend('cacp/context/askQuestion', { projectId, question: 'Which roles?' })
  const decision = { projectId, decision: 'Roles', chosen: 'none', rationale: '' }
  const decided = await backend('cacp/context/recordDecision', { ...decision, replyTo: packetId })
  expect(await backend('cacp/project/summary', {})).toMatchObject({ inForce: [], owed: [] })
  await backend('cacp/context/redact', { projectId, packetId: decided.packetId })
  expect(await backend('cacp/project/summary', {})).toMatchObject({
    decisions: [],
    owed: [{ kind: 'question', id: packetId }],
  })
})

test('a summary has so many of each, and says that there is more', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  for (const name of ['A', 'B', 'C']) {
    const { contractId } = await backend('cacp/contract/propose', { projectId, ...PROFILE, name })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    const said = { projectId, decision: name, chosen: 'x'.repeat(2000), rationale: '' }
    await backend('cacp/context/recordDecision', said)
  }
  const { inForce, decisions, owed, truncated } = await backend('cacp/project/summary', { limit: 2 })
  expect(inForce.map(({ name }) => name)).toEqual(['A', 'B'])
  expect(decisions.map(({ decision }) => decision)).toEqual(['C', 'B'])
  expect(decisions[0]?.chosen).toHaveLength(500)
  expect([owed.length, truncated]).toEqual([2, true])
})

test('a summary is not for those from whom the project is kept', async () => {
  await using desk = await openDesk()
  const given = { name: 'Secret', objective: '', visibility: 'members' } as const
  const { projectId } = await desk.call('cacp/project/create', given)
  const caller = { kind: 'peer', agentId: OUTSIDER, repoName: 'elsewhere' } as const
  await expect(desk.send('cacp/project/summary', { projectId }, { caller })).rejects.toMatchObject({
    kind: 'not_found',
  })
})
