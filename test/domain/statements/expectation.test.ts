import { describe, expect, test } from 'vitest'
import { at } from './at.ts'
import { openScene } from './scene.ts'

function openContract() {
  const scene = openScene()
  const { backend, claims, repos, replica } = scene
  const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, repos.frontend] })
  replica.hear(proposed)
  return { ...scene, proposed, expectations: () => replica.statements.contract(proposed.about)?.expectations }
}

describe('what a repo expects of a contract', () => {
  test('is the newest that it said, whichever came first', () => {
    const { frontend, claims, repos, replica, proposed, expectations } = openContract()
    const said = (second: number, uses: string[]) =>
      frontend.expect(claims.frontend, proposed, { at: at(second), uses })
    replica.hearAll([said(12, ['response.200.body.id']), said(13, ['model']), said(11, ['query'])])
    expect(expectations()).toMatchObject([{ repo_id: repos.frontend, uses: ['model'] }])
  })

  test('is said by any member, and changes neither the parts nor the time of the contract', () => {
    const { mobile, claims, repos, replica, proposed, expectations } = openContract()
    const before = replica.statements.contract(proposed.about)
    replica.hear(mobile.expect(claims.mobile, proposed, { at: at(12), side: 'consumer' }))
    expect(expectations()).toMatchObject([{ repo_id: repos.mobile, side: 'consumer', uses: null }])
    const after = replica.statements.contract(proposed.about)
    expect(after).toMatchObject({ updated_at: before?.updated_at, parts: before?.parts })
  })

  test('has no effect in words that are not known here, which are kept', () => {
    const { frontend, claims, replica, proposed, expectations } = openContract()
    const tolerates = ['new_enum_values', 'later_dates', 'null']
    const said = frontend.expect(claims.frontend, proposed, { at: at(12), side: 'observer', tolerates })
    expect(replica.hear(said)).toBe('taken')
    expect(expectations()).toMatchObject([{ side: null, tolerates: ['new_enum_values', 'null'] }])
    expect(replica.statements.get(said.id)?.body['tolerates']).toEqual(tolerates)
  })

  test('has no effect in a register of another name', () => {
    const { frontend, claims, replica, proposed, expectations } = openContract()
    replica.hear(frontend.expect(claims.frontend, proposed, { at: at(12), register: 'later' }))
    expect(expectations()).toEqual([])
  })

  test('ends with the repo', () => {
    const { backend, frontend, mobile, founding, story, claims, repos, replica, proposed, expectations } =
      openContract()
    replica.hearAll([
      frontend.expect(claims.frontend, proposed, { at: at(12) }),
      mobile.expect(claims.mobile, proposed, { at: at(12) }),
      mobile.release(claims.mobile, at(13)),
      ...story
        .filter(({ kind, about }) => kind === 'repo' && about === repos.mobile)
        .map(({ id, about }) =>
          backend.under(founding, { kind: 'removal', about, at: at(14), body: { naming: id } }),
        ),
    ])
    expect(expectations()?.map(({ repo_id }) => repo_id)).toEqual([repos.frontend])
  })

  test.each([
    ['more places than a list may have', { uses: Array.from({ length: 201 }, (_, at) => `a${at}`) }, 'uses'],
    ['a place that is too long', { uses: ['a'.repeat(301)] }, 'uses.0'],
    ['a word that is none', { tolerates: ['New Fields'] }, 'tolerates.0'],
    ['a site that is too long', { sites: { model: 'f'.repeat(301) } }, 'sites.model'],
  ])('is refused with %s', (_what, given, field) => {
    const { frontend, claims, replica, proposed } = openContract()
    const said = frontend.expect(claims.frontend, proposed, { at: at(12), ...given })
    expect(replica.hear(said)).toContain(`refused: body.${field} `)
  })

  test('is refused without the name of its register, by which others keep it', () => {
    const { frontend, claims, replica, proposed } = openContract()
    const { about, body } = frontend.expect(claims.frontend, proposed, { at: at(12) })
    const { register: _, ...rest } = body
    const said = frontend.under(claims.frontend, { kind: 'expectation', about, at: at(12), body: rest })
    expect(replica.hear(said)).toBe('refused: body.register is missing')
  })

  test('is refused where it cites a version of another contract', () => {
    const { frontend, backend, claims, repos, replica, proposed } = openContract()
    const other = backend.propose(claims.backend, at(10), {
      parties: [repos.frontend],
      nonce: 'B'.repeat(22),
    })
    replica.hear(other)
    const { body } = frontend.expect(claims.frontend, other, { at: at(12) })
    const { about } = proposed
    const said = frontend.under(claims.frontend, { kind: 'expectation', about, at: at(12), body })
    expect(replica.hear(said)).toBe('refused: cites a revision about something else')
  })
})
