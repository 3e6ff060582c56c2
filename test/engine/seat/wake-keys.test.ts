import { expect, test } from 'vitest'
import { contractChange } from '../../../src/domain/change.ts'
import type { Goal } from '../../../src/domain/condition.ts'
import { keyOfGoal, keysOfChange } from '../../../src/engine/seat/wake-keys.ts'
import { openDesk, openFeature } from '../../support/desk.ts'

test('a contract that changes wakes those who wait for its project only when that has come so far', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const proposal = { projectId, type: 'custom', name: 'Me', content: {} } as const
  const { contractId } = await backend('cacp/contract/propose', proposal)
  await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
  const wakes = (goal: Goal): boolean => {
    const { view } = desk.store
    const contract = view.projects.get(projectId)?.contracts.get(contractId)
    if (contract === undefined) throw new Error('no such contract')
    return [...keysOfChange(contractChange(projectId, contract), view)].some(
      ({ key, wakes = () => true }) => key === keyOfGoal(goal) && wakes(goal),
    )
  }
  const goal = (status: 'implementing' | 'complete'): Goal => ({ project: { projectId, status } })
  expect(wakes({ contract: { projectId, contractId, versionAbove: 1 } })).toBe(true)
  expect([wakes(goal('implementing')), wakes(goal('complete'))]).toEqual([false, false])
  await backend('cacp/implementation/start', { projectId, contractId })
  expect([wakes(goal('implementing')), wakes(goal('complete'))]).toEqual([true, false])
})
