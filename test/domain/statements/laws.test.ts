import fc from 'fast-check'
import { test } from 'vitest'
import { textOf } from '../../../src/domain/statements/statement.ts'
import { ProjectStatements } from '../../../src/domain/views/project-statements.ts'
import { canonicalText } from '../../../src/protocol/json/canonical.ts'
import { anyHistory, anyRetelling } from './histories.ts'
import { Replica, stateOf } from './replica.ts'

/** Replicas that heard the same statements, in any order, any number of times and in any parts, are equal. */

const told = anyHistory.chain((history) =>
  fc.tuple(fc.constant(history), anyRetelling(history), fc.nat(history.length)),
)

const same = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b)

function law(name: string, holds: boolean): void {
  if (!holds) throw new Error(`broken law: ${name}`)
}

test('the order of arrival, repetition and looking between decide nothing', () => {
  fc.assert(
    fc.property(told, ([history, retold, split]) => {
      const inOrder = new Replica().hearAll(history)
      const shuffled = new Replica()
      for (const [index, one] of retold.entries()) {
        shuffled.hear(one)
        if (index % 5 === 0) shuffled.state()
      }
      // A content that was taken away by a redaction which turned out not to count is got from those who have it.
      shuffled.hearAll(history)
      const state = inOrder.state()
      law('the same statements give the same views', same(state, shuffled.state()))
      law(
        'what was heard is known',
        history.every((one) => inOrder.hear(one) !== 'taken'),
      )
      law('hearing it again changes nothing', same(state, inOrder.state()))
      const left = new Replica().hearAll(history.slice(0, split))
      const right = new Replica().hearAll(history.slice(split))
      left.hearAll(right.statements).hearAll(history.slice(split))
      right.hearAll(left.statements).hearAll(history)
      law('two halves that exchange what they have are whole', same(left.state(), right.state()))
      law('and the same as one that heard all', same(left.state(), state))
    }),
    { numRuns: 10_000 },
  )
}, 240_000)

test('a verdict stays as it is whatever arrives later', () => {
  fc.assert(
    fc.property(told, ([history, retold]) => {
      const replica = new Replica()
      const final = new Map<string, string>()
      for (const one of [...retold, ...history]) {
        const outcome = replica.hear(one)
        const before = final.get(one.id)
        if (before?.startsWith('refused')) law('what was refused stays refused', outcome === before)
        if (before === 'taken') law('what was taken stays taken', outcome === 'known')
        if (outcome === 'taken' || outcome.startsWith('refused')) final.set(one.id, outcome)
      }
    }),
    { numRuns: 10_000 },
  )
}, 120_000)

test('what is taken back leaves everything as it was', () => {
  fc.assert(
    fc.property(told, ([history, retold, split]) => {
      const project = new ProjectStatements()
      const applied: { takeBack: () => void; state: unknown }[] = []
      const inOrder = [
        ...new Replica().hearAll(history).statements,
        ...new Replica().hearAll(retold).statements,
      ]
      for (const [seq, statement] of inOrder.entries()) {
        if (!project.isNews(statement)) continue
        const state = stateOf(project)
        applied.push({ takeBack: project.put({ statement, bytes: textOf(statement).length, seq }), state })
        if (seq % 3 === 0) stateOf(project)
      }
      for (const { takeBack, state } of applied.slice(Math.min(split, applied.length)).reverse()) {
        takeBack()
        law('everything is as before', same(state, stateOf(project)))
      }
    }),
    { numRuns: 2000 },
  )
}, 120_000)
