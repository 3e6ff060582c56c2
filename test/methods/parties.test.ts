import { expect, test } from 'vitest'
import { duties, openThree, PROPOSAL, propose } from '../support/daemons/three-repos.ts'
import { FRONTEND, openDesk } from '../support/desk/desk.ts'

/** Who takes part in a contract, and how somebody comes to. */

test('a proposal says who its parties are', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openThree(desk, ['frontend-app'])
  expect(await backend('cacp/contract/propose', { projectId, ...PROPOSAL })).toMatchObject({
    parties: ['backend-api', 'frontend-app'],
  })
  const parties = ['mobile-app', 'backend-api']
  expect(await backend('cacp/contract/propose', { projectId, ...PROPOSAL, parties })).toMatchObject({
    parties: ['backend-api', 'mobile-app'],
  })
})

test('the parties are told in the order of their names, wherever that is', async () => {
  await using desk = await openDesk()
  const [backend, frontend] = [desk.call, desk.as(FRONTEND)]
  const others = ['web', 'app', 'kiosk', 'docs']
  const { projectId } = await backend('cacp/project/create', {
    name: 'Auth',
    objective: '',
    repos: [...others, 'frontend-app', 'backend-api'].map((name) => ({ name })),
  })
  await frontend('cacp/project/join', { projectId, repoName: 'frontend-app' })
  const parties = ['backend-api', ...others]
  const { contractId } = await backend('cacp/contract/propose', { projectId, ...PROPOSAL, parties })
  await expect(
    frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' }),
  ).rejects.toMatchObject({ next: expect.stringContaining('Ask app, backend-api, docs, kiosk or web to') })
  const { waitingFor } = await backend('cacp/inbox/list', {})
  expect(waitingFor).toMatchObject([{ repos: ['app', 'docs', 'kiosk', 'web'] }])
})

test('a repo that is no party may not answer, change, implement or verify, and learns who can make it one', async () => {
  await using desk = await openDesk()
  const { ids, frontend, mobile } = await propose(desk, ['backend-api', 'frontend-app'])
  const refused = {
    kind: 'conflict',
    message: `mobile-app is not a party of contract ${ids.contractId}`,
    next: expect.stringMatching(
      /^Ask backend-api or frontend-app to make mobile-app a party with cacp\/contract\/update \{"addParties": \["mobile-app"\]\}/,
    ),
  }
  await expect(mobile('cacp/contract/respond', { ...ids, action: 'agree' })).rejects.toMatchObject(refused)
  await expect(mobile('cacp/contract/update', { ...ids, content: {} })).rejects.toMatchObject(refused)
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await expect(mobile('cacp/implementation/start', ids)).rejects.toMatchObject(refused)
  await expect(mobile('cacp/implementation/complete', { ...ids, files: [] })).rejects.toMatchObject(refused)
  await expect(mobile('cacp/implementation/verify', { ...ids, result: 'success' })).rejects.toMatchObject(
    refused,
  )
})

test('a late repo is added by a party, is asked for its answer, and then takes part', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend, mobile } = await openThree(desk, ['frontend-app'])
  const { contractId } = await backend('cacp/contract/propose', { projectId, ...PROPOSAL })
  const ids = { projectId, contractId }
  await frontend('cacp/contract/respond', { ...ids, action: 'agree' })
  await mobile('cacp/project/join', { projectId, repoName: 'mobile-app' })
  expect(await frontend('cacp/contract/update', { ...ids, addParties: ['mobile-app'] })).toMatchObject({
    version: 2,
    status: 'proposed',
    parties: ['backend-api', 'frontend-app', 'mobile-app'],
  })
  expect(await backend('cacp/contract/get', ids)).toMatchObject({
    content: PROPOSAL.content,
    inForce: { version: 1 },
  })
  expect(await duties(mobile)).toEqual(['answer_contract'])
  for (const call of [backend, mobile]) await call('cacp/contract/respond', { ...ids, action: 'agree' })
  expect(await backend('cacp/contract/get', ids)).toMatchObject({ inForce: { version: 2 } })
  await mobile('cacp/implementation/start', ids)
})

test('the parties are replaced by naming all of them', async () => {
  await using desk = await openDesk()
  const { ids, backend } = await propose(desk)
  const parties = ['backend-api', 'mobile-app']
  expect(await backend('cacp/contract/update', { ...ids, parties })).toMatchObject({ parties })
})

test('a party that the project does not know is told by name', async () => {
  await using desk = await openDesk()
  const { ids, backend } = await propose(desk)
  await expect(backend('cacp/contract/update', { ...ids, addParties: ['mobil-app'] })).rejects.toMatchObject({
    kind: 'not_found',
    message: expect.stringMatching(/^addParties: project \S+ has no repo named mobil-app/),
  })
})

test('a project is archived by its members alone, and everybody reads who did it', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend, mobile } = await openThree(desk, ['frontend-app'])
  await expect(mobile('cacp/project/archive', { projectId })).rejects.toMatchObject({ kind: 'not_member' })
  await frontend('cacp/project/archive', { projectId })
  expect(await backend('cacp/project/get', { projectId })).toMatchObject({
    archived: true,
    archived_by: { agent_id: FRONTEND, repo_id: expect.any(String), at: expect.any(String) },
  })
  await expect(backend('cacp/contract/propose', { projectId, ...PROPOSAL })).rejects.toMatchObject({
    message: expect.stringMatching(/^Project \S+ was archived by frontend-app on 2026-11-16/),
  })
  await frontend('cacp/project/archive', { projectId, archived: false })
  expect(await backend('cacp/project/get', { projectId })).not.toHaveProperty('archived_by')
})
