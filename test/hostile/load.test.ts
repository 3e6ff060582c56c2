import { describe, expect, test, vi } from 'vitest'
import { type Statement, textOf } from '../../src/domain/statements/statement.ts'
import { StatementIndex } from '../../src/domain/views/statement-index.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { at } from '../domain/statements/at.ts'
import { Author, nonceOf } from '../domain/statements/author.ts'
import { openScene } from '../domain/statements/scene.ts'
import { intakeDesk, PEER } from '../engine/replicate/intake-desk.ts'

/** Messages that are as large as they may be: others get their turn while one is looked at. */

async function scene() {
  let pauses = 0
  const desk = await intakeDesk({
    now: () => at(1_000_000),
    pause: async () => {
      pauses++
    },
  })
  const opened = openScene()
  const eve = new Author('eve')
  const own = eve.claim(opened.project, 'eve', at(5))
  await desk.take(...opened.story, own, opened.backend.confirm(opened.founding, own, at(6)))
  return {
    ...opened,
    ...{ desk, eve, own },
    found: () => desk.store.view.projects.get(opened.project),
    /** What becomes of them, and how often others had their turn in each message. */
    async tell(statements: readonly Statement[]) {
      const outcomes = new Map<string, number>()
      const turns: number[] = []
      for (let next = 0; next < statements.length; next += LIMITS.statements) {
        pauses = 0
        const texts = statements.slice(next, next + LIMITS.statements).map(textOf)
        for (const { status } of await desk.intake.take(texts, { caller: PEER, bootId: 'first' }))
          outcomes.set(status, 1 + (outcomes.get(status) ?? 0))
        turns.push(pauses)
      }
      return { outcomes: Object.fromEntries(outcomes), fewestTurns: Math.min(...turns) }
    },
    [Symbol.asyncDispose]: () => desk[Symbol.asyncDispose](),
  }
}

const many = <One>(count: number, make: (index: number) => One): One[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('others have their turn while a hostile member says', () => {
  test('two hundred packets and two hundred contracts under one id each, of which one counts', async () => {
    await using given = await scene()
    const { eve, own, project, repos, tell, found, desk } = given
    const variants = (under: Statement, of?: string) => {
      const packet = eve.share(under, at(10), { of })
      const opening = eve.propose(under, at(10), { of, parties: [repos.backend, under.about] })
      return [
        ...many(200, (index) => eve.under(under, { ...partsOf(packet), content: { index } })),
        ...many(200, (index) =>
          eve.under(under, { ...partsOf(opening), content: { value: { index }, note: '' } }),
        ),
      ]
    }
    expect((await tell(variants(own))).outcomes).toEqual({ refused: 400 })
    // An id of somebody who signs nothing can be given to several.
    const reporting = eve.claim(project, 'reported', at(7), 'one-who-signs-nothing')
    await desk.take(reporting)
    const { fewestTurns, outcomes } = await tell(variants(reporting, 'given-twice'))
    expect(outcomes).toEqual({ taken: 400 })
    expect(fewestTurns).toBeGreaterThanOrEqual(8)
    expect([found()?.packets.size, found()?.contracts.size]).toEqual([1, 1])
  })

  test('ten thousand answers to one contract', async () => {
    await using given = await scene()
    const { eve, own, backend, claims, repos, tell, found, desk } = given
    const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, own.about] })
    await desk.take(proposed)
    const answers = many(10_000, (index) =>
      eve.answer(own, proposed, { at: at(20 + index), action: 'reject' }),
    )
    const { fewestTurns, outcomes } = await tell(answers)
    expect(outcomes).toEqual({ taken: 10_000 })
    expect(fewestTurns).toBeGreaterThanOrEqual(10)
    // What is shown of it is as short as before.
    expect(found()?.contracts.get(proposed.about)?.answers).toHaveLength(1)
  })

  test('twenty thousand replies, each to the one before', async () => {
    await using given = await scene()
    const { eve, own, tell, found } = given
    let last: string | null = null
    const replies = many(20_000, (index) => {
      const body = { type: 'decision', related_contracts: [], reply_to: last, nonce: nonceOf(`${index}`) }
      const reply = eve.open(own, { kind: 'packet', at: at(10 + index), body, content: {} })
      last = reply.about
      return reply
    })
    const { fewestTurns, outcomes } = await tell(replies)
    expect(outcomes).toEqual({ taken: 20_000 })
    expect(fewestTurns).toBeGreaterThanOrEqual(10)
    expect([...(found()?.repliesTo(replies[0]?.about ?? '') ?? [])]).toHaveLength(1)
  }, 60_000)

  test('the names of 799 repos', async () => {
    await using given = await scene()
    const { eve, own, tell, found } = given
    const { fewestTurns, outcomes } = await tell(
      many(799, (index) => eve.nameRepo(own, `repo-${index}`, at(10))),
    )
    expect(outcomes).toEqual({ taken: 799 })
    expect(fewestTurns).toBeGreaterThanOrEqual(5)
    expect(found()?.repos.size).toBe(803)
  })

  test('five hundred claims, each followed by a packet and its redaction, and who speaks for whom is found out from all claims once', async () => {
    await using given = await scene()
    const { eve, project, tell, found } = given
    const said = many(500, (index) => {
      const claim = eve.claim(project, `repo-${index}`, at(10))
      const packet = eve.share(claim, at(11), { nonce: nonceOf(`${index}`) })
      return [claim, packet, eve.redact(claim, packet, at(12))]
    }).flat()
    const speakers = countingSpeakers()
    const { fewestTurns, outcomes } = await tell(said)
    const times = speakers.count()
    expect(outcomes).toEqual({ taken: 1500 })
    expect(fewestTurns).toBeGreaterThanOrEqual(10)
    expect(times).toBe(1)
    expect([...(found()?.packets.oldestFirst() ?? [])].every(({ content }) => content === null)).toBe(true)
  })
})

const partsOf = ({ kind, about, at, body }: Statement) => ({ kind, about, at, body })

/** Counts how often it was found out from all claims who speaks for whom. */
function countingSpeakers() {
  const asked = vi.spyOn(StatementIndex.prototype, 'statementsOnSpeakers')
  return {
    count(): number {
      const times = asked.mock.calls.filter(([kind]) => kind === 'claim').length
      asked.mockRestore()
      return times
    },
  }
}
