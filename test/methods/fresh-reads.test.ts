import { expect, test } from 'vitest'
import { openDesk, openFeature } from '../support/desk/desk.ts'

test('a read shows every change of every part, and none that was taken back, also while writes fail', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const read = () => backend('cacp/project/get', { projectId })
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'C',
    content: {},
  })
  expect((await read()).contracts).toHaveLength(1)
  await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
  expect((await read()).contracts[0]?.status).toBe('agreed')
  await backend('cacp/context/askQuestion', { projectId, question: '?' })
  expect((await read()).context_history).toHaveLength(1)
  await backend('cacp/project/addRepo', { projectId, name: 'mobile-app' })
  const before = await read()
  expect(before.repos).toHaveLength(3)

  desk.disk.freeBytes = 0
  const failing = backend('cacp/context/askQuestion', { projectId, question: 'lost' })
  const during = read()
  await expect(failing).rejects.toMatchObject({ kind: 'storage_full' })
  expect(await during).toEqual(before)
  expect(await read()).toEqual(before)

  desk.disk.freeBytes = Number.POSITIVE_INFINITY
  await backend('cacp/context/askQuestion', { projectId, question: 'kept' })
  expect((await read()).context_history).toHaveLength(2)
})
