import { describe, expect, test } from 'vitest'
import type { Statement } from '../../src/domain/statements/statement.ts'
import { at } from '../domain/statements/at.ts'
import { Author } from '../domain/statements/author.ts'
import { Replica } from '../domain/statements/replica.ts'
import { openScene } from '../domain/statements/scene.ts'

/** What somebody can try who was invited, to speak for a repo of somebody else. */

const holderOf = ({ statements }: Replica, repoId: string) => statements.repo(repoId)?.holder?.agent_id

function sceneWithEve() {
  const scene = openScene()
  const eve = new Author('eve')
  const own = eve.claim(scene.project, 'eve', at(5))
  const confirmed = scene.backend.confirm(scene.founding, own, at(5))
  scene.replica.hearAll([own, confirmed])
  return { ...scene, eve, own, story: [...scene.story, own, confirmed] }
}

describe('a claim of a repo that somebody else holds by a confirmed one', () => {
  test.each([
    ['older', 0],
    ['later', 20],
  ])('has no effect when it is %s', (_, second) => {
    const { eve, project, repos, replica } = sceneWithEve()
    const claim = eve.claim(project, 'frontend', at(second))
    replica.hearAll([claim, eve.share(claim, at(second + 1))])
    expect(holderOf(replica, repos.frontend)).toBe('frontend')
    expect(replica.statements.repo(repos.frontend)?.claims.map(({ standing }) => standing)).toEqual([
      'holds',
      'outranked',
    ])
  })

  test('has no effect for the time before it either, when it says that it was left by then', () => {
    const { eve, project, repos, claims, backend, replica } = sceneWithEve()
    const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, repos.frontend] })
    const claim = eve.claim(project, 'frontend', at(0, 1))
    replica.hearAll([
      proposed,
      claim,
      eve.release(claim, at(1)),
      eve.answer(claim, proposed, { at: at(0, 2), action: 'agree' }),
    ])
    expect(replica.statements.contract(proposed.about)).toMatchObject({ status: 'proposed', answers: [] })
  })

  test('is not confirmed by anybody but the founder', () => {
    const { eve, own, project, founding, replica } = sceneWithEve()
    const claim = eve.claim(project, 'frontend', at(0))
    replica.hear(claim)
    expect(replica.hear(eve.confirm(own, claim, at(6)))).toBe('refused: is for the founder of the project')
    expect(replica.hear(eve.confirm(founding, claim, at(6)))).toBe(
      'refused: key is not the one that it speaks under',
    )
  })
})

describe('an older claim of a repo whose claim nobody confirmed', () => {
  function contested() {
    const scene = sceneWithEve()
    const owner = new Author('owner')
    const rightful = owner.claim(scene.project, 'docs', at(10))
    const older = scene.eve.claim(scene.project, 'docs', at(9))
    scene.replica.hearAll([rightful, older])
    return { ...scene, owner, rightful, older }
  }

  test('is shown beside the other one, to everybody', () => {
    const { replica, rightful } = contested()
    const claims = replica.statements.repo(rightful.about)?.claims
    expect(claims?.map(({ agent_id, is_confirmed }) => [agent_id, is_confirmed])).toEqual([
      ['eve', false],
      ['owner', false],
    ])
  })

  test('is settled by one word of the founder, and nobody is locked out', () => {
    const { replica, rightful, older, backend, founding, owner } = contested()
    replica.hear(
      backend.settle(founding, at(20), { repo: rightful.about, holder: rightful, ended: [[older, null]] }),
    )
    expect(holderOf(replica, rightful.about)).toBe('owner')
    const said = owner.share(rightful, at(21))
    replica.hear(said)
    expect(replica.statements.packet(said.about)?.mark).toBe('unconfirmed')
  })
})

describe('a settlement', () => {
  test('by the only other member takes nothing from the founder', () => {
    const [founder, eve] = [new Author('founder'), new Author('eve')]
    const founding = founder.found(at(0))
    const claim = founder.claim(founding.project_id, 'api', at(1))
    const own = eve.claim(founding.project_id, 'eve', at(2))
    const stolen = eve.claim(founding.project_id, 'api', at(3))
    const replica = new Replica().hearAll([
      founding,
      claim,
      own,
      stolen,
      ...[claim, own].map((one) => founder.confirm(founding, one, at(4))),
      eve.settle(own, at(5), { repo: claim.about, holder: stolen, ended: [[claim, null]] }),
    ])
    expect(holderOf(replica, claim.about)).toBe('founder')
  })

  test('has its effect also where a claim that it ends is missing, and ends that when it comes', () => {
    const { story, eve, own, project, backend, founding } = sceneWithEve()
    const another = eve.claim(project, 'eve', at(6))
    const said = eve.share(another, at(7))
    const settled = backend.settle(founding, at(20), {
      repo: own.about,
      ended: [
        [another, null],
        [own, null],
      ],
    })
    const replica = new Replica().hearAll(story)
    expect(replica.hear(settled)).toBe('taken')
    expect(holderOf(replica, own.about)).toBeUndefined()
    replica.hearAll([another, said])
    expect(replica.statements.packet(said.about)).toMatchObject({ counts: false, mark: 'settled' })
    expect(replica.state()).toEqual(new Replica().hearAll([...story, another, said, settled]).state())
  })

  test('ends no claim of another repo that it names', () => {
    const { own, backend, founding, claims, repos, replica } = sceneWithEve()
    replica.hear(backend.settle(founding, at(20), { repo: own.about, ended: [[claims.frontend, null]] }))
    expect(holderOf(replica, own.about)).toBeUndefined()
    expect(holderOf(replica, repos.frontend)).toBe('frontend')
  })

  test('in the name of the founder or of another member is refused', () => {
    const { eve, founding, claims, repos, replica } = sceneWithEve()
    for (const under of [founding, claims.mobile])
      expect(
        replica.hear(eve.settle(under, at(20), { repo: repos.frontend, ended: [[claims.frontend, null]] })),
      ).toBe('refused: key is not the one that it speaks under')
  })
})

describe('a key that lost a repo by a settlement', () => {
  /** Eve is expelled, leaves by herself as well, and claims the repo again. */
  function expelled() {
    const scene = sceneWithEve()
    const { replica, own, eve, project, backend, founding } = scene
    const again = eve.claim(project, 'eve', at(30))
    const settled = backend.settle(founding, at(20), { repo: own.about, ended: [[own, at(8)]] })
    const said = eve.share(again, at(31))
    replica.hearAll([settled, eve.release(own, at(25)), again, said])
    return { ...scene, again, said }
  }

  test('does not hold it by leaving it and claiming it again', () => {
    const { replica, own, said } = expelled()
    expect(holderOf(replica, own.about)).toBeUndefined()
    expect(replica.statements.packet(said.about)).toMatchObject({ counts: false, mark: 'settled' })
  })

  test('does not hold it either after another word about the repo that does not name it', () => {
    const { replica, own, backend, founding, eve, project } = expelled()
    replica.hearAll([
      backend.settle(founding, at(40), { repo: own.about }),
      eve.claim(project, 'eve', at(50)),
    ])
    expect(holderOf(replica, own.about)).toBeUndefined()
  })

  test('is in nobody’s way who claims it afterwards', () => {
    const { replica, own, project } = expelled()
    const heir = new Author('heir')
    replica.hear(heir.claim(project, 'eve', at(60)))
    expect(holderOf(replica, own.about)).toBe('heir')
  })

  test.each(['confirmed', 'settled back'])('holds it again when it is %s', (word) => {
    const { replica, own, again, backend, founding, said } = expelled()
    replica.hear(
      word === 'confirmed'
        ? backend.confirm(founding, again, at(35))
        : backend.settle(founding, at(35), { repo: own.about, holder: again }),
    )
    expect(holderOf(replica, own.about)).toBe('eve')
    expect(replica.statements.packet(said.about)?.counts).toBe(true)
  })
})

describe('what a key says that is no longer the one to speak with, and dates back', () => {
  const speaking = (left: (scene: ReturnType<typeof sceneWithEve>) => Statement) => {
    const scene = sceneWithEve()
    const { replica, own, eve, project } = scene
    const ending = left(scene)
    const titled = (second: number, value: string) =>
      eve.under(own, { kind: 'title', about: project, at: at(second), body: { field: 'name', value } })
    replica.hear(ending)
    replica.hear(titled(25, 'after'))
    const after = replica.statements.project?.name
    replica.hear(titled(26, 'after'))
    replica.hear(eve.share(own, at(10)))
    const [packet] = replica.statements.about('packet')
    return { after, mark: replica.statements.packet(packet ?? '')?.mark }
  }

  test('after its release has no effect, and is marked', () => {
    expect(speaking(({ eve, own }) => eve.release(own, at(20)))).toEqual({ after: 'Auth', mark: 'released' })
  })

  test('after its replacement has no effect', () => {
    const next = new Author('eve, later')
    expect(speaking(({ eve, own }) => eve.rotate(own, next, { at: at(20) })).after).toBe('Auth')
  })

  test('after its expulsion has no effect, and is marked', () => {
    const expelled = speaking(({ backend, founding, own }) =>
      backend.settle(founding, at(20), { repo: own.about, ended: [[own, at(8)]] }),
    )
    expect(expelled).toEqual({ after: 'Auth', mark: 'settled' })
  })
})
