import { expect, test } from 'vitest'
import { openDesk } from '../support/desk.ts'
import { PROPOSAL, propose } from '../support/three-repos.ts'

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

test('ready are those that are not implemented yet and whose dependencies are all in force', async () => {
  await using desk = await openDesk()
  const { login, profile, backend, frontend, agree, ready } = await dependent(desk)
  expect(await ready()).toEqual(['Login'])
  await agree(login.contractId)
  expect(await ready()).toEqual(['Login', 'Profile'])
  await agree(profile.contractId)
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

test('a dependency that is not there, or on itself, is refused; a ring of two does no harm', async () => {
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
  await backend('cacp/contract/update', { ...login, dependsOn: ['Profile'] })
  expect(await ready()).toEqual([])
  await agree(login.contractId)
  await agree(profile.contractId)
  expect(await ready()).toEqual(['Login', 'Profile'])
})
