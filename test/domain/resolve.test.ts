import { describe, expect, test } from 'vitest'
import { conflictsOf, headOf, revise, statusOf } from '../../src/domain/contract.ts'
import { mergeContract } from '../../src/domain/merge.ts'
import type { Contract } from '../../src/domain/model.ts'
import { type Kept, resolve } from '../../src/domain/resolve.ts'
import { answer, at, BACKEND, FRONTEND, frozen, proposed } from './builders.ts'

const updated = (repoId: string, side: string, second: number): Contract =>
  revise(proposed(), { content: { side }, repoId, changeNotes: '', now: at(second) })

const merged = (...contracts: Contract[]): Contract =>
  frozen(contracts.reduce((a, b) => mergeContract(a, b).value))

/** The frontend's update is later, so it wins over the backend's. */
const disputed = () => merged(updated(BACKEND, 'left', 10), updated(FRONTEND, 'right', 11))

const settle = (contract: Contract, kept: Kept, second = 20): Contract =>
  resolve(contract, { kept, repoId: BACKEND, changeNotes: 'settled', now: at(second) })

describe('settling a conflict', () => {
  test.each<[Kept, object]>([
    [{ keep: 'winner' }, { side: 'right' }],
    [{ keep: 'loser', revision: undefined }, { side: 'left' }],
    [{ keep: 'content', content: { side: 'both' } }, { side: 'both' }],
  ])('%o makes a new version on top of the head', (kept, content) => {
    const contract = disputed()
    const settled = settle(contract, kept)
    expect(conflictsOf(settled)).toEqual([])
    expect(headOf(settled)).toMatchObject({
      version: 3,
      content,
      proposed_by: BACKEND,
      parent: headOf(contract).id,
      resolves: conflictsOf(contract).map((loser) => loser.id),
      change_notes: 'settled',
      timestamp: at(20),
    })
    expect(settled.revisions.slice(0, -1)).toEqual(contract.revisions)
  })

  test('starts as proposed, also where the winner was agreed', () => {
    const contract = answer(disputed(), 'agree', at(12))
    expect(statusOf(contract)).toBe('agreed')
    expect(statusOf(settle(contract, { keep: 'winner' }))).toBe('proposed')
  })

  test('is refused where there is none', () => {
    expect(() => settle(proposed(), { keep: 'winner' })).toThrow(/has no open conflict/)
    const settled = settle(disputed(), { keep: 'winner' })
    expect(() => settle(settled, { keep: 'winner' })).toThrow(/has no open conflict/)
  })

  test('of several losers one has to be named, and all of them are settled', () => {
    const contract = merged(disputed(), updated('repo-app', 'above', 9))
    const losers = conflictsOf(contract)
    expect(losers.map((loser) => loser.content)).toEqual([{ side: 'above' }, { side: 'left' }])
    const ids = losers.map((loser) => loser.id)
    for (const revision of [undefined, headOf(contract).id, 'nothing'])
      expect(() => settle(contract, { keep: 'loser', revision })).toThrow(
        expect.objectContaining({
          kind: 'invalid_params',
          data: { field: 'revision', revisions: ids },
        }),
      )
    const settled = settle(contract, { keep: 'loser', revision: ids[0] })
    expect(headOf(settled)).toMatchObject({ content: { side: 'above' }, resolves: [...ids].sort() })
    expect(conflictsOf(settled)).toEqual([])
  })

  test('on both sides at once is a conflict again, between the two settlements only', () => {
    const here = settle(disputed(), { keep: 'winner' }, 20)
    const there = resolve(disputed(), {
      kept: { keep: 'loser', revision: undefined },
      repoId: FRONTEND,
      changeNotes: '',
      now: at(21),
    })
    const both = merged(here, there)
    expect(both).toEqual(merged(there, here))
    expect(headOf(both).content).toEqual({ side: 'left' })
    expect(conflictsOf(both).map((loser) => loser.id)).toEqual([headOf(here).id])
  })

  test('leaves open what arrives after it', () => {
    const settled = settle(disputed(), { keep: 'winner' })
    const late = merged(settled, updated('repo-app', 'above', 9))
    expect(headOf(late)).toEqual(headOf(settled))
    expect(conflictsOf(late).map((loser) => loser.content)).toEqual([{ side: 'above' }])
  })
})
