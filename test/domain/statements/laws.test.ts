import fc from 'fast-check'
import { test } from 'vitest'
import { type Statement, textOf } from '../../../src/domain/statements/statement.ts'
import { ProjectStatements } from '../../../src/domain/views/project-statements.ts'
import { canonicalText } from '../../../src/protocol/json/canonical.ts'
import { anyHistory, anyRetelling } from './histories.ts'
import { type Outcome, Replica, stateOf } from './replica.ts'

/** Replicas that heard the same statements, in any order, any number of times and in any parts, are equal. */

const told = anyHistory.chain((history) =>
  fc.tuple(fc.constant(history), anyRetelling(history), fc.nat(history.length)),
)

const same = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b)

function law(name: string, holds: boolean): void {
  if (!holds) throw new Error(`broken law: ${name}`)
}

/** What a replica said of each statement, once that was final. */
class Verdicts {
  readonly #final = new Map<string, Outcome>()

  note({ id }: Statement, outcome: Outcome): void {
    const before = this.#final.get(id)
    if (before?.startsWith('refused')) law('what was refused stays refused', outcome === before)
    if (before === 'taken') law('what was taken stays taken', outcome === 'known')
    if (outcome === 'taken' || outcome.startsWith('refused')) this.#final.set(id, outcome)
  }
}

test('the order of arrival, repetition and looking between decide nothing, and a verdict stays as it is whatever arrives later', () => {
  fc.assert(
    fc.property(told, ([history, retold, split]) => {
      const inOrder = new Replica().hearAll(history)
      const shuffled = new Replica()
      const verdicts = new Verdicts()
      for (const [index, one] of retold.entries()) {
        verdicts.note(one, shuffled.hear(one))
        if (index % 5 === 0) shuffled.state()
      }
      // A content that was taken away by a redaction which turned out not to count is got from those who have it.
      for (const one of history) verdicts.note(one, shuffled.hear(one))
      const state = canonicalText(inOrder.state())
      const isSame = (replica: Replica): boolean => canonicalText(replica.state()) === state
      law('the same statements give the same views', isSame(shuffled))
      law(
        'what was heard is known',
        history.every((one) => inOrder.hear(one) !== 'taken'),
      )
      law('hearing it again changes nothing', isSame(inOrder))
      const left = new Replica().hearAll(history.slice(0, split))
      const right = new Replica().hearAll(history.slice(split))
      left.hearAll(right.statements).hearAll(history.slice(split))
      right.hearAll(left.statements).hearAll(history)
      law('one half that got what the other one has is the same as one that heard all', isSame(left))
      law('and so is the other half', isSame(right))
    }),
    { numRuns: 10_000 },
  )
}, 480_000)

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
}, 480_000)
