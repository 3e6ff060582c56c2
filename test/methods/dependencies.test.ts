import { expect, test } from 'vitest'
import { PROPOSAL, propose } from '../support/daemons/three-repos.ts'
import { openDesk } from '../support/desk/desk.ts'

/** Contracts that build on others. */

const PARTIES = ['backend-api', 'frontend-app']

async function dependent(desk: Awaited<ReturnType<typeof openDesk>>) {
  const scene = await propose(desk, PARTIES)
  const { projectId, ids, backend, frontend } = scene
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    ...PROPOSAL,
    name: 'Profile',
    parties: PARTIES,
    dependsOn: ['Login'],
  })
  const agree = (id: string) =>
    frontend('cacp/contract/respond', { projectId, contractId: id, action: 'agree' })
  const ready = async () =>
    (await backend('cacp/contract/list', { projectId, ready: true })).contracts.map(({ name }) => name)
  return { ...scene, login: ids, profile: { projectId, contractId }, agree, ready }
}

test('what a contract depends on is named by id or name, and shown with whether it is in force', async () => {
  await using desk = await openDesk()
  const { projectId, login, profile, backend, agree } = await dependent(desk)
  const dependsOn = (inForce: boolean) => [{ contractId: login.contractId, name: 'Login', inForce }]
  expect(await backend('cacp/contract/get', profile)).toMatchObject({ dependsOn: dependsOn(false) })
  await agree(login.contractId)
  expect(await backend('cacp/contract/get', profile)).toMatchObject({ dependsOn: dependsOn(true) })
  const { contracts } = await backend('cacp/contract/list', { projectId })
  expect(contracts.map((one) => one.dependsOn)).toEqual([undefined, dependsOn(true)])
})

test('ready are those that are in force, not implemented yet, and whose dependencies are all in force', async () => {
  await using desk = await openDesk()
  const { login, profile, backend, frontend, agree, ready } = await dependent(desk)
  expect(await ready()).toEqual([])
  await agree(login.contractId)
  expect(await ready()).toEqual(['Login'])
  await agree(profile.contractId)
  expect(await ready()).toEqual(['Login', 'Profile'])
  for (const call of [backend, frontend]) {
    await call('cacp/implementation/start', login)
    await call('cacp/implementation/complete', { ...login, files: [] })
  }
  expect(await ready()).toEqual(['Profile'])
})

test('an update keeps the dependencies, replaces them or ends them', async () => {
  await using desk = await openDesk()
  const { projectId, login, profile, backend } = await dependent(desk)
  const idsNow = async () =>
    (await backend('cacp/contract/get', profile)).dependsOn?.map(({ contractId }) => contractId)
  await backend('cacp/contract/update', { ...profile, content: { v: 2 } })
  expect(await idsNow()).toEqual([login.contractId])
  const { contractId: other } = await backend('cacp/contract/propose', {
    projectId,
    ...PROPOSAL,
    name: 'Token',
  })
  await backend('cacp/contract/update', { ...profile, dependsOn: [other] })
  expect(await idsNow()).toEqual([other])
  await backend('cacp/contract/update', { ...profile, dependsOn: [] })
  expect(await idsNow()).toBeUndefined()
})

test('a dependency that is not there, or on itself, is refused; a ring of two is told, and does no harm', async () => {
  await using desk = await openDesk()
  const { login, profile, backend, agree, ready } = await dependent(desk)
  await expect(backend('cacp/contract/update', { ...profile, dependsOn: ['Nope'] })).rejects.toMatchObject({
    kind: 'not_found',
  })
  await expect(backend('cacp/contract/update', { ...profile, dependsOn: ['Profile'] })).rejects.toMatchObject(
    {
      kind: 'invalid_params',
      data: { field: 'dependsOn' },
    },
  )
  expect(await backend('cacp/contract/update', { ...login, dependsOn: ['Profile'] })).toMatchObject({
    hint: expect.stringContaining('Login, Profile depend on each other'),
  })
  expect(await ready()).toEqual([])
  await agree(login.contractId)
  await agree(profile.contractId)
  expect(await ready()).toEqual(['Login', 'Profile'])
})

test('whoever is to build something is told what has to be in force before', async () => {
  await using desk = await openDesk()
  const { login, profile, backend, agree } = await dependent(desk)
  const why = async () =>
    (await backend('cacp/inbox/list', {})).items.find(({ about }) => about.id === profile.contractId)?.why
  await agree(profile.contractId)
  expect(await why()).toContain('it depends on «Login», which is not in force yet')
  expect((await backend('cacp/brief', {})).text).toContain('it depends on «Login», which is not in force yet')
  await agree(login.contractId)
  expect(await why()).not.toContain('depends on')
})

test('a dependency that is verified and so nobody’s turn is in force all the same', async () => {
  await using desk = await openDesk()
  const { login, profile, backend, frontend, agree } = await dependent(desk)
  await agree(login.contractId)
  for (const call of [backend, frontend]) {
    await call('cacp/implementation/start', login)
    await call('cacp/implementation/complete', { ...login, files: [] })
  }
  await backend('cacp/implementation/verify', {
    ...login,
    result: 'success',
    evidence: [{ kind: 'run', command: 'npm test', exitCode: 0 }],
  })
  await agree(profile.contractId)
  const { items } = await backend('cacp/inbox/list', {})
  expect(items).toMatchObject([{ kind: 'start_implementation' }])
  expect(items[0]?.why).not.toContain('depends on')
})

test('a dependency that there is none of is refused by the name of its field', async () => {
  await using desk = await openDesk()
  const { projectId } = await desk.call('cacp/project/create', { name: 'Auth', objective: '' })
  const proposal = { projectId, type: 'custom', name: 'Top', content: {}, dependsOn: ['Nope'] }
  await expect(desk.send('cacp/contract/propose', proposal)).rejects.toMatchObject({
    message: expect.stringMatching(/^dependsOn: No contract Nope in project /),
    data: { field: 'dependsOn' },
  })
})

test('a withdrawn contract cannot be answered, whatever the answer', async () => {
  await using desk = await openDesk()
  const { projectId } = await desk.call('cacp/project/create', { name: 'Auth', objective: '' })
  const proposal = { projectId, type: 'custom', name: 'Top', content: {} }
  const { contractId } = await desk.call('cacp/contract/propose', { ...proposal, type: 'custom' })
  await desk.call('cacp/contract/withdraw', { projectId, contractId })
  const answer = { projectId, contractId, action: 'agree' }
  await expect(desk.send('cacp/contract/respond', answer)).rejects.toMatchObject({
    message: `Cannot answer contract ${contractId}: it is withdrawn`,
  })
})
