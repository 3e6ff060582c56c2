import { expect, test } from 'vitest'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { type Waiting, WaitingPool } from '../../../src/domain/statements/waiting.ts'
import { at } from './at.ts'
import { openScene } from './scene.ts'

const scene = openScene()
const shared = (count: number): Statement[] =>
  Array.from({ length: count }, (_, index) => scene.frontend.share(scene.claims.frontend, at(10, index)))

const from = (sender: string, statement: Statement, chars = 10): Waiting => ({
  statement,
  sender,
  chars,
  isSigned: false,
})

const ROOM = {
  key: { count: 2, chars: 1000 },
  sender: { count: 3, chars: 1000 },
  all: { count: 5, chars: 1000 },
}

test('what waits for an id is given back once that is here, and then waits no more', () => {
  const pool = new WaitingPool()
  const [one, other, third] = shared(3).map((statement) => from('a', statement))
  if (one === undefined || other === undefined || third === undefined) throw new Error('too few')
  expect([pool.add(one, 'x'), pool.add(other, 'x'), pool.add(third, 'y')]).toEqual([true, true, true])
  expect([...pool.waitingFor('x')]).toEqual([one, other])
  expect(pool.take('x')).toEqual([one, other])
  expect(pool.take('x')).toEqual([])
  expect(pool.take('y')).toEqual([third])
})

test('nobody uses up the room of another, neither in its own name nor in that of another key', () => {
  const pool = new WaitingPool(ROOM)
  const add = (sender: string, statement: Statement | undefined) =>
    statement !== undefined && pool.add(from(sender, statement), 'x')
  const ours = shared(4)
  expect(ours.slice(0, 3).map((one) => add('flooder', one))).toEqual([true, true, false])
  expect(add('flooder', scene.claims.backend)).toBe(true)
  expect(add('flooder', scene.claims.mobile)).toBe(false)
  expect(add('honest', ours[2])).toBe(true)
  expect(add('honest', ours[3])).toBe(true)
  expect(add('third', scene.claims.mobile)).toBe(false)
  pool.take('x')
  expect(add('third', scene.claims.mobile)).toBe(true)
})

test('long texts take more room, and the same statement takes it once', () => {
  const pool = new WaitingPool(ROOM)
  const [one, other] = shared(2)
  if (one === undefined || other === undefined) throw new Error('too few')
  expect(pool.add(from('a', one, 900), 'x')).toBe(true)
  expect(pool.add(from('a', one, 900), 'x')).toBe(true)
  expect(pool.add(from('a', other, 200), 'x')).toBe(false)
})

test('with another signature it waits beside the true one, whose place it does not take', () => {
  const pool = new WaitingPool()
  const { claims } = scene
  pool.add(from('a', { ...claims.backend, sig: claims.mobile.sig }), 'x')
  pool.add(from('a', claims.backend), 'x')
  expect(pool.take('x')).toHaveLength(2)
})
