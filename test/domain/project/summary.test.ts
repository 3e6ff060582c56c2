import { expect, test } from 'vitest'
import { projectStatus } from '../../../src/domain/project/project.ts'
import { summarize } from '../../../src/domain/project/summary.ts'
import type { ProjectView } from '../../../src/domain/view.ts'
import type { ContractEntity } from '../../../src/domain/views/entities.ts'
import { at, viewOf } from '../builders.ts'
import { agreed, proposed } from '../story.ts'

const BOUND = 2000

/**
 * So many contracts, of which only the oldest is in force; counts how many are looked at. The status of the project is
 * known already: it is found once for every state, whoever asks for it.
 */
function projectOf(count: number): { found: ProjectView; looks: () => number } {
  const [open, inForce] = [proposed().contract, agreed().contract]
  let looks = 0
  const contract = (index: number): ContractEntity => {
    looks++
    return Object.create(index === 0 ? inForce : open, {
      contract_id: { value: `c${index}` },
      created_at: { value: at(index) },
    })
  }
  function* inOrder(indexes: Iterable<number>) {
    for (const index of indexes) yield contract(index)
  }
  const indexes = Array.from({ length: count }, (_, index) => index)
  const view = viewOf()
  const contracts = {
    ...view.contracts,
    size: count,
    oldestFirst: () => inOrder(indexes),
    newestFirst: () => inOrder(indexes.toReversed()),
  }
  const found = { ...view, contracts }
  projectStatus(found)
  looks = 0
  return { found, looks: () => looks }
}

test('a summary looks at the newest contracts, and at as many however many there are', () => {
  const few = projectOf(BOUND)
  const { summary } = summarize(few.found, 50)
  expect(few.looks()).toBe(BOUND)
  expect(summary.inForce).toMatchObject([{ contractId: 'c0' }])

  for (const count of [BOUND + 1, 5 * BOUND]) {
    const many = projectOf(count)
    const { summary } = summarize(many.found, 50)
    expect(many.looks()).toBeLessThanOrEqual(BOUND + 1)
    expect(summary).toMatchObject({ inForce: [], truncated: true })
    expect(summary.owed[0]).toMatchObject({ id: `c${count - BOUND}` })
  }
})

test('one that has looked at all of them, and lists them all, says that nothing is missing', () => {
  const { found, looks } = projectOf(50)
  const { summary } = summarize(found, 50)
  expect(looks()).toBe(50)
  expect(summary).toMatchObject({ truncated: false })
  expect(summary.owed.length + summary.inForce.length).toBeGreaterThanOrEqual(50)
})
