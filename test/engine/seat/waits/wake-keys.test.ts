import { expect, test } from 'vitest'
import type { Goal } from '../../../../src/domain/inbox/wait-goal.ts'
import { keysOfChange, keysOfGoal } from '../../../../src/engine/seat/waits/wake-keys.ts'
import { EMPTY_VIEW } from '../../../domain/builders.ts'
import { openDesk, openFeature } from '../../../support/desk/desk.ts'

test('a contract that changes wakes those who wait for its project only when that has come so far', async () => {
  await using desk = await openDesk()
  const { projectId, backend, frontend } = await openFeature(desk)
  const proposal = { projectId, type: 'custom', name: 'Me', content: {} } as const
  const { contractId } = await backend('cacp/contract/propose', proposal)
  await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
  const wakes = (goal: Goal): boolean => {
    const change = { kind: 'contract', project_id: projectId, id: contractId, seq: 1, isWide: false } as const
    return [...keysOfChange(change, desk.store.view)].some(
      ({ key, wakes = () => true }) => keysOfGoal(goal).includes(key) && wakes(goal),
    )
  }
  const goal = (status: 'implementing' | 'complete'): Goal => ({ project: { projectId, status } })
  expect(wakes({ contract: { projectId, contractId, versionAbove: 1 } })).toBe(true)
  expect([wakes(goal('implementing')), wakes(goal('complete'))]).toEqual([false, false])
  await backend('cacp/implementation/start', { projectId, contractId })
  expect([wakes(goal('implementing')), wakes(goal('complete'))]).toEqual([true, false])
})

test('who speaks for whom wakes all who wait for something in that project', () => {
  const change = { kind: 'repo', project_id: 'p', id: 'r', seq: 1, isWide: true } as const
  const keys = [...keysOfChange(change, EMPTY_VIEW)].map(({ key }) => key)
  const isWoken = (goal: Goal) => keysOfGoal(goal).some((key) => keys.includes(key))
  const inProject = (projectId: string): Goal[] => [
    { contract: { projectId, contractId: 'c', versionAbove: 1 } },
    { question: { projectId, packetId: 'k' } },
    { project: { projectId, status: 'complete' } },
  ]
  expect(inProject('p').map(isWoken)).toEqual([true, true, true])
  expect(inProject('other').map(isWoken)).toEqual([false, false, false])
})
