import { describe, expect, test } from 'vitest'
import { type Action, conflictsOf, headOf, nextBase, statusOf } from '../../src/domain/contract.ts'
import { implementationStatus } from '../../src/domain/implementation.ts'
import { mergeContract } from '../../src/domain/merge.ts'
import type { Contract } from '../../src/domain/model.ts'
import type { ContractStatus, VerificationResult } from '../../src/protocol/words.ts'
import {
  agreed,
  answer,
  at,
  BACKEND,
  complete,
  FRONTEND,
  implemented,
  negotiating,
  proposed,
  start,
  startAndComplete,
  update,
  verified,
  verify,
} from './builders.ts'

const IN_STATUS: Record<ContractStatus, () => Contract> = {
  proposed,
  negotiating,
  agreed,
  implemented,
  verified,
}

/** What each action does to a contract that allows it; the frontend acts, at second 10. */
const DO: Record<Action, (contract: Contract) => Contract> = {
  agree: (contract) => answer(contract, 'agree', at(10)),
  request_change: (contract) => answer(contract, 'request_change', at(10)),
  reject: (contract) => answer(contract, 'reject', at(10)),
  update: (contract) => update(contract, { path: '/you' }, at(10)),
  start: (contract) => permitted(contract, 'start', () => start(contract, FRONTEND, at(10))),
  complete: (contract) => permitted(contract, 'complete', () => startAndComplete(contract, FRONTEND, at(10))),
  verify: (contract) => permitted(contract, 'verify', () => verify(contract, 'success', at(10))),
}

function permitted(contract: Contract, action: Action, act: () => Contract): Contract {
  nextBase(contract, action)
  return act()
}

const REFUSED = null
const TABLE: Record<ContractStatus, Record<Action, ContractStatus | null>> = {
  proposed: {
    agree: 'agreed',
    request_change: 'negotiating',
    reject: 'negotiating',
    update: 'proposed',
    start: REFUSED,
    complete: REFUSED,
    verify: REFUSED,
  },
  negotiating: {
    agree: 'agreed',
    request_change: 'negotiating',
    reject: 'negotiating',
    update: 'proposed',
    start: REFUSED,
    complete: REFUSED,
    verify: REFUSED,
  },
  agreed: {
    agree: REFUSED,
    request_change: 'negotiating',
    reject: 'negotiating',
    update: REFUSED,
    start: 'agreed',
    complete: 'agreed',
    verify: REFUSED,
  },
  implemented: {
    agree: REFUSED,
    request_change: 'negotiating',
    reject: REFUSED,
    update: REFUSED,
    start: 'agreed',
    complete: REFUSED,
    verify: 'verified',
  },
  verified: {
    agree: REFUSED,
    request_change: 'negotiating',
    reject: REFUSED,
    update: REFUSED,
    start: REFUSED,
    complete: REFUSED,
    verify: REFUSED,
  },
}

const CELLS = Object.entries(TABLE).flatMap(([status, actions]) =>
  Object.entries(actions).map(([action, next]) => ({
    status: status as ContractStatus,
    action: action as Action,
    next,
  })),
)

describe('the transition table [cacp-contract-4]', () => {
  test.each(Object.keys(TABLE) as ContractStatus[])('a contract can be %s', (status) => {
    expect(statusOf(IN_STATUS[status]())).toBe(status)
  })

  test.each(CELLS.filter((cell) => cell.next !== REFUSED))(
    '$action on a contract that is $status makes it $next',
    ({ status, action, next }) => {
      expect(statusOf(DO[action](IN_STATUS[status]()))).toBe(next)
    },
  )

  test.each(CELLS.filter((cell) => cell.next === REFUSED))(
    '$action on a contract that is $status is refused as a conflict that names the way on',
    ({ status, action }) => {
      expect(() => DO[action](IN_STATUS[status]())).toThrow(
        expect.objectContaining({
          kind: 'conflict',
          message: `Cannot ${action} contract c1: it is ${status}`,
          next: expect.any(String),
        }),
      )
    },
  )

  test.each<[VerificationResult, ContractStatus]>([
    ['success', 'verified'],
    ['failure', 'agreed'],
    ['partial', 'implemented'],
  ])('verifying with %s leaves the contract %s', (result, status) => {
    expect(statusOf(verify(implemented(), result, at(10)))).toBe(status)
  })

  test('completing work that was never started is refused', () => {
    expect(() => complete(agreed(), BACKEND, at(2))).toThrow(expect.objectContaining({ kind: 'conflict' }))
  })
})

describe('a negotiation', () => {
  test('an update makes the next version on top of the head, open for answers again', () => {
    const head = headOf(update(negotiating(), { path: '/you' }, at(5)))
    expect(head).toMatchObject({
      version: 2,
      content: { path: '/you' },
      parent: headOf(proposed()).id,
      base: { value: 'proposed', at: at(5) },
    })
  })

  test('every answer is kept with its author, revision and words', () => {
    const contract = answer(answer(proposed(), 'reject', at(1)), 'agree', at(2))
    const revision = headOf(contract).id
    expect(contract.responses).toMatchObject([
      { action: 'reject', repo_id: FRONTEND, revision, version: 1, comment: 'I reject', timestamp: at(1) },
      { action: 'agree', repo_id: FRONTEND, revision, version: 1, comment: 'I agree', timestamp: at(2) },
    ])
  })

  test('an answer given by a lagging clock still counts as the newest', () => {
    const contract = answer(answer(proposed(), 'agree', at(100)), 'request_change', at(3))
    expect(statusOf(contract)).toBe('negotiating')
    expect(contract.responses.at(-1)?.timestamp).toBe(at(100, 1))
  })

  test('an update made by a lagging clock is still newer than all it stands on', () => {
    const head = headOf(update(answer(proposed(), 'reject', at(100)), { path: '/you' }, at(3)))
    expect(head.timestamp).toBe(at(100, 1))
    expect(head.base.at).toBe(at(100, 1))
  })

  test('an objection and an agreement at the same moment leave it negotiating', () => {
    const { value } = mergeContract(
      answer(proposed(), 'agree', at(1)),
      answer(proposed(), 'request_change', at(1)),
    )
    expect(statusOf(value)).toBe('negotiating')
    expect(value.responses).toHaveLength(2)
  })
})

describe('work', () => {
  test('a contract is implemented when the last of its parties completes, not before', () => {
    const first = startAndComplete(agreed(), BACKEND, at(2))
    expect(statusOf(first)).toBe('agreed')
    expect(statusOf(startAndComplete(first, FRONTEND, at(3)))).toBe('implemented')
  })

  test('two repos that complete on two sides of a partition end implemented on both', () => {
    const before = agreed()
    const left = startAndComplete(before, BACKEND, at(2))
    const right = startAndComplete(before, FRONTEND, at(2))
    expect(statusOf(mergeContract(left, right).value)).toBe('implemented')
    expect(statusOf(mergeContract(right, left).value)).toBe('implemented')
  })

  test('work on an earlier revision stays as history and does not implement a later one', () => {
    const again = answer(
      update(answer(implemented(), 'request_change', at(5)), { path: '/you' }, at(6)),
      'agree',
      at(7),
    )
    expect(statusOf(again)).toBe('agreed')
    expect(again.implementations).toHaveLength(2)
  })

  test('a contract without parties is never implemented by nobody', () => {
    expect(statusOf({ ...agreed(), parties: [] })).toBe('agreed')
  })
})

describe('a failed verification', () => {
  const statuses = (contract: Contract) =>
    contract.implementations.map((one) => implementationStatus(contract, one))

  test('sends back every implementation that it looked at', () => {
    expect(statuses(verify(implemented(), 'failure', at(5)))).toEqual(['needs_revision', 'needs_revision'])
  })

  test('judges only what it saw: work done meanwhile elsewhere is not sent back', () => {
    const before = implemented()
    const judged = verify(before, 'failure', at(5))
    const reworked = startAndComplete(before, BACKEND, at(4))
    const { value } = mergeContract(judged, reworked)
    expect(value.implementations.map((one) => [one.repo_id, implementationStatus(value, one)])).toEqual([
      [BACKEND, 'complete'],
      [FRONTEND, 'needs_revision'],
    ])
    expect(statusOf(value)).toBe('agreed')
  })

  test('is overcome when all that it judged was done again', () => {
    const redone = [BACKEND, FRONTEND].reduce(
      (contract, repo) => startAndComplete(contract, repo, at(6)),
      verify(implemented(), 'failure', at(5)),
    )
    expect(statusOf(redone)).toBe('implemented')
  })

  test('is not overruled by a success that somebody found meanwhile on the same work', () => {
    const before = implemented()
    const { value } = mergeContract(verify(before, 'failure', at(5)), verify(before, 'success', at(6)))
    expect(statusOf(value)).toBe('agreed')
  })
})

describe('a successful verification', () => {
  test('of older work does not verify newer work', () => {
    const before = implemented()
    const { value } = mergeContract(
      verify(before, 'success', at(9)),
      startAndComplete(before, BACKEND, at(5)),
    )
    expect(statusOf(value)).toBe('implemented')
  })

  test('counts only while it is the newest one', () => {
    const before = implemented()
    const { value } = mergeContract(verify(before, 'success', at(5)), verify(before, 'partial', at(6)))
    expect(statusOf(value)).toBe('implemented')
  })
})

describe('concurrent updates', () => {
  const left = update(proposed(), { path: '/left' }, at(5))
  const right = update(proposed(), { path: '/right' }, at(6))
  const both = mergeContract(left, right).value

  test('end with the newer one as head and the other listed as a conflict, on both sides', () => {
    expect(headOf(both).content).toEqual({ path: '/right' })
    expect(conflictsOf(both).map((one) => one.content)).toEqual([{ path: '/left' }])
    expect(conflictsOf(mergeContract(right, left).value)).toEqual(conflictsOf(both))
  })

  test('a plain chain of updates has no conflicts', () => {
    expect(conflictsOf(update(left, { path: '/more' }, at(7)))).toEqual([])
  })

  test('a later update of the head alone does not hide the conflict', () => {
    expect(conflictsOf(update(both, { path: '/more' }, at(7))).map((one) => one.content)).toEqual([
      { path: '/left' },
    ])
  })

  test('are settled by a revision that resolves the other', () => {
    const next = update(both, { path: '/both' }, at(7))
    const settled: Contract = {
      ...next,
      revisions: next.revisions.map((one) =>
        one.id === headOf(next).id ? { ...one, resolves: [headOf(left).id] } : one,
      ),
    }
    expect(conflictsOf(settled)).toEqual([])
  })
})
