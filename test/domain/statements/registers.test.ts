import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { at } from './at.ts'
import { openScene } from './scene.ts'

describe('of a register', () => {
  test('the newest word is kept, whichever comes first', () => {
    const { backend, claims, founding, replica } = openScene()
    const named = (value: string, second: number) =>
      backend.under(claims.backend, {
        kind: 'title',
        about: founding.about,
        at: at(second),
        body: { field: 'name', value },
      })
    replica.hearAll([named('newer', 12), named('older', 11)])
    expect(replica.statements.project?.name).toBe('newer')
  })

  test('a key that speaks for several repos has one for each', () => {
    const { backend, founding, claims, replica, project, repos } = openScene()
    const plain = backend.claim(project, 'python', at(5), 'an agent that signs nothing')
    const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, plain.about] })
    replica.hearAll([
      plain,
      backend.confirm(founding, plain, at(6)),
      proposed,
      backend.answer(plain, proposed, { at: at(11), action: 'agree' }),
      backend.work(claims.backend, proposed, { at: at(12), status: 'complete' }),
      backend.work(plain, proposed, { at: at(13), status: 'in_progress' }),
      backend.see(claims.backend, proposed.about, { at: at(14), of: at(10), parts: 1 }),
      backend.see(plain, proposed.about, { at: at(15), of: at(10), parts: 1 }),
    ])
    const works = replica.statements.contract(proposed.about)?.works
    expect(new Map(works?.map((one) => [one.repo_id, one.status]))).toEqual(
      new Map([
        [repos.backend, 'complete'],
        [plain.about, 'in_progress'],
      ]),
    )
    expect(replica.statements.sightingsOf(proposed.about)).toHaveLength(2)
  })
})

describe('of a kind that is not known here', () => {
  const weather = (body: JsonObject, second: number, scene: ReturnType<typeof openScene>) =>
    scene.backend.under(scene.claims.backend, { kind: 'weather', about: scene.project, at: at(second), body })

  test('a statement that names its register is replaced by a newer one of the same name', () => {
    const scene = openScene()
    const before = scene.replica.statements.size
    const said = [
      weather({ register: 'sky', rain: true }, 10, scene),
      weather({ register: 'sky', rain: false }, 12, scene),
      weather({ register: 'sky', rain: true }, 11, scene),
      weather({ register: 'sea', rain: false }, 10, scene),
    ]
    for (const one of said) scene.replica.hear(one)
    expect(said.filter(({ id }) => scene.replica.statements.get(id))).toEqual([said[1], said[3]])
    expect(scene.replica.statements.size).toBe(before + 2)
  })

  test('statements that name none are all kept', () => {
    const scene = openScene()
    const said = [weather({ rain: true }, 10, scene), weather({ rain: true }, 11, scene)]
    scene.replica.hearAll(said)
    expect(said.map(({ id }) => scene.replica.statements.fact(id))).toEqual(said)
  })

  test.each([[7], [null], ['x'.repeat(201)]])('a register with the name %j is refused', (register) => {
    const scene = openScene()
    expect(scene.replica.hear(weather({ register }, 10, scene))).toBe(
      'refused: body.register must be text of at most 200 characters',
    )
  })
})
