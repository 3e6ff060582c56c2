import { describe, expect, test } from 'vitest'
import { at } from '../domain/statements/at.ts'
import { Author } from '../domain/statements/author.ts'
import { openScene } from '../domain/statements/scene.ts'

/** What a member can try with a contract that it is no party of. */

function sceneWithContract() {
  const scene = openScene()
  const { backend, project, founding, claims, repos, replica } = scene
  const eve = new Author('eve')
  const own = eve.claim(project, 'eve', at(5))
  const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, repos.frontend] })
  replica.hearAll([own, backend.confirm(founding, own, at(5)), proposed])
  return { ...scene, eve, own, proposed, contract: () => replica.statements.contract(proposed.about) }
}

describe('the word of a member that is no party of a contract', () => {
  const WORDS = {
    answer: ({ eve, own, proposed }) => eve.answer(own, proposed, { at: at(20), action: 'reject' }),
    work: ({ eve, own, proposed }) => eve.work(own, proposed, { at: at(20), status: 'complete' }),
    verification: ({ eve, own, proposed }) =>
      eve.verify(own, proposed, { at: at(20), result: 'failure', judged: [] }),
    revision: ({ eve, own, proposed }) => eve.revise(own, proposed, { at: at(20) }),
  } satisfies Record<string, (scene: ReturnType<typeof sceneWithContract>) => ReturnType<Author['answer']>>

  test.each(Object.entries(WORDS))('of %s does not move the contract', (_, say) => {
    const scene = sceneWithContract()
    const before = { ...scene.contract() }
    const said = say(scene)
    expect(scene.replica.hear(said)).toBe('taken')
    expect({ ...scene.contract() }).toEqual(before)
    expect(scene.contract()?.history.without_effect).toEqual([said.id])
  })

  test('moves it from the moment that it is made a party', () => {
    const scene = sceneWithContract()
    const { backend, claims, eve, own, proposed, repos, contract, replica } = scene
    const wider = backend.revise(claims.backend, proposed, {
      at: at(15),
      parties: [repos.backend, repos.frontend, own.about],
    })
    replica.hearAll([eve.answer(own, proposed, { at: at(30), action: 'reject' }), wider])
    expect(contract()).toMatchObject({ updated_at: at(15), updated_by: repos.backend, parts: 2 })
    replica.hear(eve.answer(own, wider, { at: at(20), action: 'agree' }))
    expect(contract()).toMatchObject({ updated_at: at(20), updated_by: own.about, parts: 3 })
  })

  test('however many there are, the parties see none of them in what is new', () => {
    const { eve, own, frontend, claims, proposed, repos, contract, replica } = sceneWithContract()
    for (let second = 0; second < 100; second++)
      replica.hear(eve.answer(own, proposed, { at: at(100 + second), action: 'reject' }))
    replica.hear(frontend.answer(claims.frontend, proposed, { at: at(50), action: 'agree' }))
    expect(contract()).toMatchObject({ updated_at: at(50), updated_by: repos.frontend, parts: 2 })
  })
})
