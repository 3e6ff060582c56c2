import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ContractEntity } from '../../../../src/domain/views/entities.ts'
import { ContractOrder } from '../../../../src/engine/seat/contracts/contract-order.ts'
import { at } from '../../../domain/builders.ts'
import { agreed, proposed } from '../../../domain/story.ts'

const CONTRACTS = [proposed().contract, agreed().contract]

/** A contract that changed at one of a few moments, so that many change at the same one; or that is gone. */
const put = fc.record({
  projectId: fc.constantFrom('p1', 'p2'),
  contractId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  contract: fc.constantFrom(...CONTRACTS),
  minute: fc.integer({ min: 0, max: 3 }),
  isGone: fc.boolean(),
})

test('whatever the order in which contracts change and go, each is there once, at its last change', () => {
  fc.assert(
    fc.property(fc.array(put, { maxLength: 40 }), fc.integer({ min: 0, max: 9 }), (puts, place) => {
      const order = new ContractOrder()
      const expected = new Map<string, ContractEntity>()
      for (const { projectId, contractId, contract, minute, isGone } of puts) {
        const value = { ...contract, contract_id: contractId, updated_at: at(minute) }
        order.put(projectId, contractId, isGone ? undefined : value)
        if (isGone) expected.delete(`${contractId} ${projectId}`)
        else expected.set(`${contractId} ${projectId}`, value)
      }
      const wanted = [...expected]
        .map(([id, { updated_at, status }]) => ({ id, since: updated_at, status }))
        .sort((a, b) => (`${a.since} ${a.id}` < `${b.since} ${b.id}` ? 1 : -1))
      const all = [...order.newestFirst({})]
      expect(all.map(({ id, since, status }) => ({ id, since, status }))).toEqual(wanted)
      const own = [...order.newestFirst({ projectId: 'p1' })]
      expect(own).toEqual(all.filter(({ projectId }) => projectId === 'p1'))
      for (const repoId of new Set(own.flatMap(({ repos }) => repos))) {
        const scope = { projectId: 'p1', repoId }
        expect([...order.newestFirst(scope)]).toEqual(own.filter(({ repos }) => repos.includes(repoId)))
        expect(order.all(scope)).toHaveLength(
          [...order.tallies(scope)].reduce((n, { count }) => n + count, 0),
        )
      }
      for (const { a, b, newest, tallies } of order.pairs('p1')) {
        const both = own.filter(({ repos, isOver }) => !isOver && repos.includes(a) && repos.includes(b))
        expect(newest).toBe(both[0]?.since)
        expect([...tallies].reduce((n, { count }) => n + count, 0)).toBe(both.length)
      }
      if (own.some(({ isOver }) => !isOver)) expect([...order.pairs('p1')]).not.toEqual([])
      const counted = new Map<string, number>()
      for (const { projectId, status, count } of order.tallies({}))
        counted.set(`${projectId} ${status}`, count + (counted.get(`${projectId} ${status}`) ?? 0))
      for (const [key, count] of counted)
        expect(count).toBe(all.filter(({ projectId, status }) => `${projectId} ${status}` === key).length)
      expect([...counted.values()].reduce((sum, count) => sum + count, 0)).toBe(all.length)
      const from = all[place]
      if (from !== undefined) expect([...order.newestFirst({}, from)]).toEqual(all.slice(place + 1))
    }),
  )
})
