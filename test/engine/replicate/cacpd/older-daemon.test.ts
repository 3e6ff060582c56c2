import fc from 'fast-check'
import { expect, test } from 'vitest'
import { at } from '../../../domain/statements/at.ts'
import { unknowing } from '../../../domain/statements/older-daemon.ts'
import { Replica } from '../../../domain/statements/replica.ts'
import { openScene } from '../../../domain/statements/scene.ts'
import { digested } from '../digested.ts'

function expectationsIn({ backend, frontend, mobile, claims, repos }: ReturnType<typeof openScene>) {
  const contract = backend.propose(claims.backend, at(10), { parties: [repos.frontend, repos.mobile] })
  const said = [11, 12, 13, 14].flatMap((second) => [
    frontend.expect(claims.frontend, contract, { at: at(second), uses: [`model.a${second}`] }),
    mobile.expect(claims.mobile, contract, { at: at(second, 1), tolerates: ['null', 'later_word'] }),
  ])
  return { contract, said }
}

test('a daemon that does not know expectations has the same digests as one that does', async () => {
  const scene = openScene()
  const { contract, said } = expectationsIn(scene)
  const [older, newer] = [await digested(), await digested()]
  await newer.take(...scene.story, contract)
  for (const one of said) await newer.take(one)
  const ours = await newer.digests.totals()
  await unknowing('expectation', async () => {
    await older.take(...said.toReversed())
    await older.take(...scene.story.toReversed(), contract)
    await older.take(...said)
    expect(await older.digests.totals()).toEqual(ours)
  })
  expect(ours.get(scene.project)?.count).toBe(scene.story.length + 3)
})

test('what an older daemon kept makes a newer one equal, and the other way round', async () => {
  const scene = openScene()
  const { contract, said } = expectationsIn(scene)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...said), { maxLength: 12 }),
      fc.nat(12),
      async (heard, split) => {
        const [first, then] = [heard.slice(0, split), heard.slice(split)]
        const newer = new Replica().hearAll([...scene.story, contract, ...first])
        const older = await unknowing('expectation', () =>
          new Replica().hearAll([...then, ...scene.story, contract, ...then, ...newer.statements]),
        )
        newer.hearAll(older.statements)
        expect(idsOf(newer)).toEqual(idsOf(older))
        const inOrder = new Replica().hearAll([...scene.story, contract, ...heard])
        expect(newer.state()).toEqual(inOrder.state())
      },
    ),
    { numRuns: 1000 },
  )
})

const idsOf = ({ statements }: Replica) => [...statements].map(({ id }) => id).sort()
