import { describe, expect, test } from 'vitest'
import { type Kept, resolutionOf } from '../../../src/domain/contract/resolve.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { at } from '../builders.ts'
import { type Name, Story } from '../story.ts'

/** Several changed version 1 without knowing of each other; the latest wins. */
function disputed(...sides: [Name, string, number][]) {
  const story = new Story({ named: ['backend', 'frontend', 'mobile'] })
  const first = story.proposes('backend', at(1, 1))
  const made = sides.map(([name, side, second]) => story.revises(name, first, at(second), { side }))
  const contract = () => story.contract(first)
  const settle = (name: Name, kept: Kept, second: number): Statement => {
    const { content, parties, resolves } = resolutionOf(contract(), kept)
    const facts = resolves.flatMap((id) => story.found.said.fact(id) ?? [])
    const claim = story.claims[name] ?? first
    const head = story.found.said.fact(contract().head.id) ?? first
    return story.say(
      story.authors[name].revise(claim, head, { at: at(second), content, parties, resolves: facts }),
    )
  }
  return { story, first, made, contract, settle }
}

const SIDES: [Name, string, number][] = [
  ['backend', 'left', 10],
  ['frontend', 'right', 11],
]

describe('settling a conflict', () => {
  test.each<[Kept, object]>([
    [{ keep: 'winner' }, { side: 'right' }],
    [{ keep: 'loser', revision: undefined }, { side: 'left' }],
    [{ keep: 'content', content: { side: 'both' } }, { side: 'both' }],
  ])('%o makes a new version on top of the head', (kept, content) => {
    const { contract, settle } = disputed(...SIDES)
    const { head, conflicts } = contract()
    settle('backend', kept, 20)
    expect(contract()).toMatchObject({
      conflicts: [],
      head: { version: 3, content, parent: head.id, resolves: conflicts.map(({ id }) => id) },
    })
  })

  test('starts as proposed, also where the winner was agreed, which stays in force meanwhile', () => {
    const { contract, settle, story, made } = disputed(...SIDES)
    const winner = made[1] as Statement
    story.answers('backend', winner, 'agree', at(12))
    story.answers('mobile', winner, 'agree', at(13))
    expect(contract().status).toBe('agreed')
    settle('backend', { keep: 'loser', revision: undefined }, 20)
    expect(contract()).toMatchObject({ status: 'proposed', in_force: { revision: { id: winner.id } } })
  })

  test('of several losers one has to be named, and all of them are settled', () => {
    const { contract, settle } = disputed(...SIDES, ['mobile', 'above', 9])
    const ids = contract().conflicts.map(({ id }) => id)
    expect(contract().conflicts.map(({ content }) => content)).toEqual([{ side: 'above' }, { side: 'left' }])
    for (const revision of [undefined, contract().head.id, 'nothing'])
      expect(() => resolutionOf(contract(), { keep: 'loser', revision })).toThrow(
        expect.objectContaining({ kind: 'invalid_params', data: { field: 'revision', revisions: ids } }),
      )
    settle('backend', { keep: 'loser', revision: ids[0] }, 20)
    expect(contract().head).toMatchObject({ content: { side: 'above' }, resolves: [...ids].sort() })
    expect(contract().conflicts).toEqual([])
  })

  test('leaves open what arrives after it', () => {
    const { contract, settle, story, first } = disputed(...SIDES)
    const settled = settle('backend', { keep: 'winner' }, 20)
    story.revises('mobile', first, at(9), { side: 'above' })
    expect(contract().head.id).toBe(settled.id)
    expect(contract().conflicts.map(({ content }) => content)).toEqual([{ side: 'above' }])
  })

  test('with a content that was taken away is refused, and says what to do instead', () => {
    const { contract, story, made } = disputed(...SIDES)
    story.redacts('backend', made[0] as Statement, at(12))
    expect(() => resolutionOf(contract(), { keep: 'loser', revision: undefined })).toThrow(
      expect.objectContaining({ kind: 'conflict', next: 'Send another one with keep content' }),
    )
  })
})
