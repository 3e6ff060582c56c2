import { describe, expect, test } from 'vitest'
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
