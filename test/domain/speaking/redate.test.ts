import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Redated, redate } from '../../../src/domain/speaking/redate.ts'
import {
  hasLostContent,
  type Statement,
  signedText,
  withoutContent,
} from '../../../src/domain/statements/statement.ts'
import { addMicros, type Stamp } from '../../../src/protocol/stamp.ts'
import { signatureOf } from '../../support/simulated/identity.ts'
import { at } from '../statements/at.ts'
import { Author, nonceOf } from '../statements/author.ts'
import { Replica, stateOf } from '../statements/replica.ts'

const ANN = new Author('ann')
const BOB = new Author('bob')
const HOURS = 3600
/** The right time, when all of the stories were told. */
const NOW = at(100)
/** What the clock said while it was six hours ahead. */
const late = (second: number, micros = 0): Stamp => at(6 * HOURS + second, micros)

const again = (statements: Iterable<Statement>, { by = ANN, takenUntil = NOW } = {}): Redated =>
  redate(statements, { now: NOW, key: by.key, takenUntil })

const signed = ({ says }: Redated, by = ANN): Statement[] =>
  says.map((one) => ({ ...one, sig: signatureOf(by.publicKey, signedText(one.id)) }))

/** The history as its author has it after the clock was put right. */
const mended = (history: readonly Statement[]): Statement[] => {
  const said = again(history)
  const gone = new Set(said.drops.map(({ id }) => id))
  return [...history.filter(({ id }) => !gone.has(id)), ...signed(said)]
}

/** What is seen, with every id and time by its place among all of them. */
function seen(statements: readonly Statement[], now: Stamp): string {
  const replica = new Replica(now)
  const outcomes = new Set(statements.map((one) => replica.hear(one)))
  expect([...outcomes].filter((one) => one.startsWith('refused'))).toEqual([])
  const { ids, ...state } = stateOf(replica.statements) as { ids: string[] }
  const named = new Map<string, string>()
  const name = (id: string, as: string) => void named.set(id, named.get(id) ?? as)
  statements.forEach((one, index) => {
    for (const [field, id] of Object.entries({ project: one.project_id, about: one.about, id: one.id }))
      name(id, `${field} ${index}`)
  })
  const times = [...new Set(statements.map((one) => one.at))].sort()
  for (const [index, time] of times.entries()) name(time, `time ${index}`)
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return named.get(value) ?? value
    if (Array.isArray(value)) return value.map(plain).sort(byText)
    if (typeof value !== 'object' || value === null) return value
    return Object.entries(value).map(([key, one]) => [key, plain(one)])
  }
  return `${ids.length} ${JSON.stringify(plain(state))}`
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** One deed of an author after the other, each at a time of its own. */
const deed = fc.record({ what: fc.nat(11), one: fc.nat(100) })
const anyAuthorsHistory = fc
  .tuple(fc.array(deed, { maxLength: 25 }), fc.nat(10))
  .map(([deeds, aheadAfter]) => {
    const said: Statement[] = []
    const time = () => (said.length < aheadAfter ? at(said.length) : late(said.length))
    const add = (one: Statement) => {
      said.push(one)
      return one
    }
    const founding = add(ANN.found(time()))
    const claim = add(ANN.claim(founding.project_id, 'api', time()))
    add(ANN.confirm(founding, claim, time()))
    const pick = (number: number, ...kinds: string[]) => {
      const found = said.filter(({ kind }) => kinds.includes(kind))
      return found[number % Math.max(found.length, 1)]
    }
    for (const [index, { what, one }] of deeds.entries()) {
      const nonce = nonceOf(`${index}`)
      const revision = pick(one, 'revision')
      const opened = pick(one, 'packet', 'revision')
      const redactable = pick(one, 'packet', 'answer')
      if (what < 2) add(ANN.propose(claim, time(), { parties: [claim.about], nonce }))
      else if (what === 2) add(ANN.share(claim, time(), { nonce, text: `${one}` }))
      else if (what === 3) add(ANN.describe(claim, time(), `role ${one}`))
      else if (what === 4) add(ANN.nameRepo(founding, `repo ${one % 3}`, time()))
      else if (what === 5 && redactable) {
        add(ANN.redact(claim, redactable, time()))
        said[said.indexOf(redactable)] = withoutContent(redactable)
      } else if (what === 6 && opened)
        add(ANN.see(claim, opened.about, { at: time(), of: opened.at, parts: 1 }))
      else if (revision === undefined) continue
      else if (what === 7) add(ANN.revise(claim, revision, { at: time() }))
      else if (what === 8) add(ANN.answer(claim, revision, { at: time(), action: 'agree' }))
      else if (what === 9) add(ANN.work(claim, revision, { at: time(), status: 'complete' }))
      else if (what === 10) {
        const work = said.findLast(({ kind, body }) => kind === 'work' && body['revision'] === revision.id)
        const judged = work === undefined ? [] : [{ repo_id: claim.about, work: work.id }]
        add(ANN.verify(claim, revision, { at: time(), result: 'success', judged }))
      }
    }
    return said
  })

describe('what was said while the clock was ahead', () => {
  test('is said again so that everything is seen as before, but for times and ids, and everybody takes it', () => {
    fc.assert(
      fc.property(anyAuthorsHistory, (history) => {
        expect(seen(mended(history), NOW)).toBe(seen(history, late(1000)))
      }),
      { numRuns: 1000 },
    )
  })

  test('leaves nothing that would have to be said again once more', () => {
    fc.assert(
      fc.property(anyAuthorsHistory, (history) => {
        expect(again(mended(history))).toEqual({ says: [], drops: [], ids: new Map(), left: 0 })
      }),
    )
  })

  test('stays redacted', () => {
    const founding = ANN.found(late(0))
    const claim = ANN.claim(founding.project_id, 'api', late(1))
    const packet = ANN.share(claim, late(2))
    const history = [founding, claim, withoutContent(packet), ANN.redact(claim, packet, late(3))]
    const says = signed(again(history))
    expect(says.map(hasLostContent)).toEqual([false, false, true, false])
    expect(says[3]?.body['of']).toBe(says[2]?.id)
    expect(new Replica(NOW).hearAll(says).statements.size).toBe(4)
  })

  test('comes after what others said of the same, and keeps the ids of what was opened at the right time', () => {
    const founding = BOB.found(at(0))
    const theirs = BOB.claim(founding.project_id, 'web', at(1))
    const ours = ANN.claim(founding.project_id, 'api', at(2))
    const parties = [theirs.about, ours.about]
    const first = BOB.propose(theirs, at(200), { parties })
    const answer = ANN.answer(ours, first, { at: late(0), action: 'agree' })
    const { says, drops } = again([founding, theirs, ours, first, answer])
    expect(drops.map(({ id }) => id)).toEqual([answer.id])
    expect(says).toMatchObject([{ about: first.about, at: addMicros(first.at, 1), body: answer.body }])
  })

  test('is left where another daemon has it, or was as far ahead', () => {
    const founding = ANN.found(late(0))
    const claim = ANN.claim(founding.project_id, 'api', late(1))
    const theirs = BOB.claim(founding.project_id, 'web', at(200))
    expect(again([founding, claim, theirs])).toMatchObject({ says: [], drops: [], left: 2 })
    const before = BOB.found(at(0))
    const ours = ANN.claim(before.project_id, 'api', late(1))
    expect(again([before, ours])).toMatchObject({ says: [{ at: NOW }], left: 0 })
    const alike = BOB.claim(before.project_id, 'web', late(5))
    expect(again([before, ours, alike])).toMatchObject({ says: [], left: 1 })
  })

  test('is left where another daemon took something from then: the clock may as well be behind now', () => {
    const founding = ANN.found(late(0))
    expect(again([founding], { takenUntil: late(-60) })).toMatchObject({ says: [], drops: [], left: 1 })
    expect(again([founding], { takenUntil: addMicros(NOW, 300_000_000) })).toMatchObject({ left: 0 })
  })

  test('is not touched while it is within what everybody takes, nor what others said', () => {
    const founding = ANN.found(addMicros(NOW, 300_000_000))
    expect(again([founding])).toMatchObject({ says: [], drops: [], left: 0 })
    expect(again([ANN.found(late(0))], { by: BOB })).toMatchObject({ says: [], drops: [], left: 0 })
  })
})
