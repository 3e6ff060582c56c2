import { expect, test } from 'vitest'
import { openDesk, openFeature } from '../../support/desk/desk.ts'

const stranger = { caller: { kind: 'peer' as const, agentId: 'aid://example.com/x@1.0.0', repoName: 'x' } }

test('a project and its contracts are found by id and by exact name', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const { name } = await backend('cacp/project/get', { projectId })
  const proposal = { projectId, type: 'custom' as const, name: 'Login', content: {} }
  const { contractId } = await backend('cacp/contract/propose', proposal)
  const answer = {
    projectId,
    projectName: name,
    isCurrent: true,
    contractIds: [contractId, contractId],
    contractNames: ['Login', 'Login'],
    packetIds: [],
    repoNames: ['backend-api'],
  }
  const contracts = ['Login', contractId]
  expect(await backend('cacp/lookup', { projectId: name, contracts, repos: ['backend-api'] })).toEqual(answer)
  for (const word of ['login', 'Log', 'Login '.repeat(2)])
    await expect(backend('cacp/lookup', { projectId, contracts: [word] })).rejects.toMatchObject({
      kind: 'not_found',
    })
  expect(await backend('cacp/lookup', { projectId, repos: ['nobody'] })).toMatchObject({
    repoNames: ['nobody'],
  })
})

test('what goes by a name alone is told by it, everything else by its id', async () => {
  await using desk = await openDesk()
  const { projectId, backend } = await openFeature(desk)
  const propose = () =>
    backend('cacp/contract/propose', { projectId, type: 'custom', name: 'Login', content: {} })
  const [one, other] = [await propose(), await propose()]
  await backend('cacp/project/create', { name: 'User Auth Feature', objective: 'Once more' })
  const ids = [one.contractId, other.contractId]
  const look = () => backend('cacp/lookup', { projectId, contracts: ids })
  expect(await look()).toMatchObject({ projectName: projectId, isCurrent: false, contractNames: ids })
  await backend('cacp/contract/withdraw', { projectId, contractId: other.contractId })
  await backend('cacp/project/use', { projectId })
  expect(await look()).toMatchObject({ isCurrent: true, contractNames: ['Login', other.contractId] })
})

test('more than ten of one name are not all told', async () => {
  await using desk = await openDesk()
  for (let n = 0; n < 12; n++) await desk.call('cacp/project/create', { name: 'Same', objective: '' })
  const refused = desk.call('cacp/lookup', { projectId: 'Same' })
  await expect(refused).rejects.toThrow(/^More than 10 projects are called «Same»: /)
  await expect(refused).rejects.toMatchObject({ details: { candidates: { length: 10 } } })
})

test('nobody finds by name what it may not see', async () => {
  await using desk = await openDesk()
  const secret = { name: 'Secret', objective: '', visibility: 'members' as const }
  await desk.call('cacp/project/create', secret)
  await expect(desk.send('cacp/lookup', { projectId: 'Secret' }, stranger)).rejects.toMatchObject({
    kind: 'not_found',
  })
  await expect(desk.send('cacp/lookup', { projectId: 'Secret' })).resolves.toMatchObject({ contractIds: [] })
})
