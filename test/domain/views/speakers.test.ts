import { describe, expect, test } from 'vitest'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { at } from '../builders.ts'
import { Author } from '../statements/author.ts'
import { Replica } from '../statements/replica.ts'
import { openScene } from '../statements/scene.ts'

/** Who holds a repo, and whose word counts. */

const holderIn = (replica: Replica, repo: string) => replica.statements.repo(repo)?.holder?.agent_id
const markOf = (replica: Replica, packet: Statement) => replica.statements.packet(packet.about)?.mark
/** Whether what an author says of the title of the project has an effect. */
function canSpeak(replica: Replica, title: Statement): boolean {
  replica.hear(title)
  return replica.statements.project?.name === title.body['value']
}
const titled = (author: Author, under: Statement, second: number) =>
  author.under(under, {
    kind: 'title',
    about: under.project_id,
    at: at(second),
    body: { field: 'name', value: `${author.name} at ${second}` },
  })

describe('a repo is held', () => {
  test('by the claim that the founder confirmed, whatever older claim comes later', () => {
    const { replica, repos, project, frontend } = openScene()
    const thief = new Author('thief')
    const claim = thief.claim(project, 'frontend', at(0, 5))
    expect(replica.hear(claim)).toBe('taken')
    expect(holderIn(replica, repos.frontend)).toBe('frontend')
    expect(canSpeak(replica, titled(thief, claim, 50))).toBe(false)
    expect(canSpeak(replica, titled(frontend, openScene().claims.frontend, 51))).toBe(true)
  })

  test('by the earliest claim while none is confirmed, and shown as such', () => {
    const { replica, project, backend, founding } = openScene()
    const [first, second] = [new Author('first'), new Author('second')]
    const claims = [first.claim(project, 'docs', at(20)), second.claim(project, 'docs', at(21))] as const
    replica.hearAll([claims[1], claims[0]])
    expect(holderIn(replica, claims[0].about)).toBe('first')
    const said = first.share(claims[0], at(22))
    replica.hear(said)
    expect(markOf(replica, said)).toBe('unconfirmed')
    replica.hear(backend.confirm(founding, claims[1], at(23)))
    expect(holderIn(replica, claims[0].about)).toBe('second')
    expect(markOf(replica, said)).toBe('outranked')
  })

  test('by the next claim after a release, and what was said before it still counts', () => {
    const { replica, project, repos, frontend, claims } = openScene()
    const before = titled(frontend, claims.frontend, 10)
    expect(canSpeak(replica, before)).toBe(true)
    const next = new Author('next')
    const claim = next.claim(project, 'frontend', at(12))
    replica.hearAll([frontend.release(claims.frontend, at(11)), claim])
    expect(holderIn(replica, repos.frontend)).toBe('next')
    expect(replica.statements.project?.name).toBe('frontend at 10')
    expect(canSpeak(replica, titled(frontend, claims.frontend, 13))).toBe(false)
    expect(canSpeak(replica, titled(next, claim, 14))).toBe(true)
  })

  test('by whoever had it meanwhile, when the one that released it claims it again', () => {
    const { replica, project, repos, frontend, claims, backend, founding } = openScene()
    const next = new Author('next')
    const claim = next.claim(project, 'frontend', at(12))
    const again = frontend.claim(project, 'frontend', at(14))
    replica.hearAll([
      frontend.release(claims.frontend, at(11)),
      claim,
      backend.confirm(founding, claim, at(13)),
      again,
    ])
    expect(holderIn(replica, repos.frontend)).toBe('next')
  })

  test('by its confirmed heir, whatever claim the one before it says that it had made before it left', () => {
    const { replica, project, repos, frontend, claims, backend, founding } = openScene()
    const heir = new Author('heir')
    const inherits = heir.claim(project, 'frontend', at(30))
    const backdated = frontend.claim(project, 'frontend', at(10))
    const history = [
      frontend.release(claims.frontend, at(20)),
      inherits,
      backend.confirm(founding, inherits, at(31)),
      backdated,
    ]
    const before = titled(frontend, claims.frontend, 15)
    replica.hearAll([...history, before])
    expect(holderIn(replica, repos.frontend)).toBe('heir')
    expect(replica.statements.project?.name).toBe('frontend at 15')
    expect(canSpeak(replica, titled(frontend, backdated, 40))).toBe(false)
    // Not even where the founder confirms that, too: the heir was confirmed before.
    replica.hear(backend.confirm(founding, backdated, at(41)))
    expect(holderIn(replica, repos.frontend)).toBe('heir')
  })

  test('by one that was confirmed no longer than by the claim that was', () => {
    const { replica, project, repos, frontend, claims } = openScene()
    const again = frontend.claim(project, 'frontend', at(10))
    replica.hearAll([again, frontend.release(claims.frontend, at(20))])
    expect(replica.statements.repo(repos.frontend)?.holder).toMatchObject({ claim_id: again.id })
    const said = frontend.share(again, at(21))
    replica.hear(said)
    expect(markOf(replica, said)).toBe('unconfirmed')
  })

  test('by one key with two claims until it gave both back, and all that it said counts', () => {
    const { replica, project, frontend, claims } = openScene()
    const again = frontend.claim(project, 'frontend', at(10))
    const [one, other] = [titled(frontend, claims.frontend, 11), titled(frontend, again, 12)]
    replica.hearAll([again, frontend.release(claims.frontend, at(20)), frontend.release(again, at(20))])
    expect([one, other].map((title) => canSpeak(replica, title))).toEqual([true, true])
  })

  test('by one key however often it claimed: a daemon restored from a backup may claim twice', () => {
    const { replica, project, frontend } = openScene()
    const again = frontend.claim(project, 'frontend', at(20))
    replica.hear(again)
    expect(canSpeak(replica, titled(frontend, again, 21))).toBe(true)
  })
})

test('a word that does not count takes no other word’s place', () => {
  const { replica, project, frontend, claims } = openScene()
  const thief = new Author('thief')
  const claim = thief.claim(project, 'frontend', at(5))
  replica.hearAll([titled(frontend, claims.frontend, 40), claim, titled(thief, claim, 50)])
  expect(replica.statements.project?.name).toBe('frontend at 40')
})

describe('a key that was replaced', () => {
  test('speaks no more, and the one after it does', () => {
    const { replica, frontend, claims } = openScene()
    const later = new Author('later')
    const rotation = frontend.rotate(claims.frontend, later, { at: at(10) })
    replica.hear(rotation)
    expect(canSpeak(replica, titled(later, rotation, 11))).toBe(true)
    expect(canSpeak(replica, titled(frontend, claims.frontend, 12))).toBe(false)
  })

  test('confirms nothing any more as the founder’s, and the one after it does', () => {
    const { replica, project, backend, founding } = openScene()
    const later = new Author('later')
    const rotation = backend.rotate(founding, later, { at: at(10) })
    const claim = new Author('docs').claim(project, 'docs', at(11))
    const isConfirmed = () => replica.statements.repo(claim.about)?.holder?.is_confirmed
    replica.hearAll([rotation, claim, backend.confirm(founding, claim, at(12))])
    expect(isConfirmed()).toBe(false)
    replica.hear(later.confirm(rotation, claim, at(13)))
    expect(isConfirmed()).toBe(true)
  })

  test('by two others is followed by the one that was named first', () => {
    const { replica, frontend, claims } = openScene()
    const [owner, thief] = [new Author('owner'), new Author('thief')]
    const rotations = [
      frontend.rotate(claims.frontend, owner, { at: at(10) }),
      frontend.rotate(claims.frontend, thief, { at: at(11) }),
    ] as const
    replica.hearAll(rotations.toReversed())
    expect(canSpeak(replica, titled(thief, rotations[1], 20))).toBe(false)
    expect(canSpeak(replica, titled(owner, rotations[0], 21))).toBe(true)
  })
})

describe('a settlement', () => {
  test('by the founder gives a repo back, and says how much of what the other said counts', () => {
    const { replica, project, repos, backend, founding } = openScene()
    const [thief, owner] = [new Author('thief'), new Author('owner')]
    const taken = thief.claim(project, 'docs', at(10))
    const wanted = owner.claim(project, 'docs', at(11))
    const [early, late] = [thief.share(taken, at(12)), thief.share(taken, at(14))]
    replica.hearAll([taken, wanted, backend.confirm(founding, taken, at(11)), early, late])
    expect(holderIn(replica, taken.about)).toBe('thief')
    replica.hear(
      backend.settle(founding, at(20), { repo: taken.about, holder: wanted, ended: [[taken, at(13)]] }),
    )
    expect(holderIn(replica, taken.about)).toBe('owner')
    expect([early, late].map((one) => markOf(replica, one))).toEqual(['settled', 'settled'])
    expect(canSpeak(replica, titled(thief, taken, 13))).toBe(true)
    expect(canSpeak(replica, titled(thief, taken, 15))).toBe(false)
    expect(holderIn(replica, repos.frontend)).toBe('frontend')
  })

  test('to nobody expels a key, and a new claim can follow', () => {
    const { replica, project, repos, backend, founding, claims } = openScene()
    replica.hear(backend.settle(founding, at(20), { repo: repos.mobile, ended: [[claims.mobile, null]] }))
    expect(holderIn(replica, repos.mobile)).toBeUndefined()
    const next = new Author('next').claim(project, 'mobile', at(21))
    replica.hear(next)
    expect(holderIn(replica, repos.mobile)).toBe('next')
  })

  test('by more than half of the other confirmed keys counts, and the founder’s outranks it', () => {
    const { replica, project, backend, founding, frontend, mobile, claims } = openScene()
    const [thief, owner] = [new Author('thief'), new Author('owner')]
    const taken = thief.claim(project, 'docs', at(10))
    const wanted = owner.claim(project, 'docs', at(11))
    replica.hearAll([taken, wanted])
    const settled = { repo: taken.about, holder: wanted, ended: [[taken, null]] as const }
    replica.hear(frontend.settle(claims.frontend, at(20), settled))
    expect(holderIn(replica, taken.about)).toBe('thief')
    replica.hear(mobile.settle(claims.mobile, at(21), settled))
    expect(holderIn(replica, taken.about)).toBe('owner')
    replica.hear(
      backend.settle(founding, at(19), { repo: taken.about, holder: taken, ended: [[wanted, null]] }),
    )
    expect(holderIn(replica, taken.about)).toBe('thief')
  })

  describe('by votes for nobody', () => {
    function votedOut() {
      const scene = openScene()
      const { replica, project, backend, founding, frontend, mobile, claims } = scene
      const had = new Author('old').claim(project, 'docs', at(5))
      const vote = { repo: had.about, ended: [[had, null]] as const }
      replica.hearAll([
        had,
        backend.confirm(founding, had, at(6)),
        frontend.settle(claims.frontend, at(10), vote),
        mobile.settle(claims.mobile, at(11), vote),
      ])
      expect(holderIn(replica, had.about)).toBeUndefined()
      const heir = new Author('heir')
      return { ...scene, had, vote, heir, inherits: heir.claim(project, 'docs', at(20)) }
    }

    test('leaves the heir alone, though one of the voters says its vote again', () => {
      const { replica, mobile, claims, backend, founding, had, vote, inherits } = votedOut()
      replica.hearAll([inherits, backend.confirm(founding, inherits, at(21))])
      expect(holderIn(replica, had.about)).toBe('heir')
      replica.hear(mobile.settle(claims.mobile, at(50), vote))
      expect(holderIn(replica, had.about)).toBe('heir')
      const andTheHeir = { ...vote, ended: [...vote.ended, [inherits, null]] as const }
      replica.hear(mobile.settle(claims.mobile, at(51), andTheHeir))
      expect(holderIn(replica, had.about)).toBe('heir')
    })

    test('ends the heir’s time, too, once as many name its claim', () => {
      const { replica, frontend, mobile, claims, had, vote, inherits } = votedOut()
      const andTheHeir = { ...vote, ended: [...vote.ended, [inherits, null]] as const }
      replica.hearAll([
        inherits,
        mobile.settle(claims.mobile, at(50), andTheHeir),
        frontend.settle(claims.frontend, at(51), andTheHeir),
      ])
      expect(holderIn(replica, had.about)).toBeUndefined()
    })

    test('goes from when the last of those whose vote it took came to say so', () => {
      const { replica, frontend, mobile, claims, project, had, vote } = votedOut()
      const meanwhile = new Author('meanwhile').claim(project, 'docs', at(30))
      const otherwise = { repo: had.about, holder: had }
      replica.hearAll([meanwhile, mobile.settle(claims.mobile, at(31), otherwise)])
      expect(holderIn(replica, had.about)).toBe('old')
      replica.hear(mobile.settle(claims.mobile, at(40), vote))
      expect(holderIn(replica, had.about)).toBeUndefined()
      replica.hear(frontend.settle(claims.frontend, at(41), vote))
      expect(holderIn(replica, had.about)).toBeUndefined()
    })

    test('leaves one alone that the founder confirmed since, though it had claimed before', () => {
      const { replica, project, backend, founding, had } = votedOut()
      const early = new Author('early').claim(project, 'docs', at(9))
      replica.hear(early)
      expect(holderIn(replica, had.about)).toBeUndefined()
      replica.hear(backend.confirm(founding, early, at(21)))
      expect(holderIn(replica, had.about)).toBe('early')
    })

    test('is not kept from being equal by ever more claims, which not all voters have heard of', () => {
      const { replica, project, frontend, mobile, claims, backend, founding } = openScene()
      const eve = new Author('eve')
      const [had, more] = [eve.claim(project, 'docs', at(5)), eve.claim(project, 'docs', at(6))]
      const vote = (...ended: Statement[]) => ({
        repo: had.about,
        ended: ended.map((claim) => [claim, null] as const),
      })
      replica.hearAll([
        had,
        backend.confirm(founding, had, at(7)),
        more,
        frontend.settle(claims.frontend, at(10), vote(had)),
        mobile.settle(claims.mobile, at(11), vote(had, more)),
      ])
      expect(holderIn(replica, had.about)).toBeUndefined()
    })
  })

  test('by a key that nobody confirmed counts for nothing, however many of them there are', () => {
    const { replica, project, repos, founding, claims } = openScene()
    const crowd = Array.from({ length: 9 }, (_, index) => new Author(`sybil ${index}`))
    for (const [index, one] of crowd.entries()) {
      const claim = one.claim(project, `made up ${index}`, at(10))
      replica.hearAll([
        claim,
        one.settle(claim, at(20), { repo: repos.mobile, ended: [[claims.mobile, null]] }),
      ])
    }
    expect(holderIn(replica, repos.mobile)).toBe('mobile')
    expect(replica.founding(project)).toBe(founding)
  })
})

describe('a repo', () => {
  test('that was named by mistake goes away when its naming is taken back, unless somebody speaks for it', () => {
    const { replica, backend, founding, claims, repos } = openScene()
    const typo = backend.nameRepo(founding, 'fronted', at(10))
    const takeBack = (naming: string, about: string) =>
      backend.under(founding, { kind: 'removal', about, at: at(11), body: { naming } })
    replica.hear(typo)
    expect(replica.statements.repo(typo.about)?.name).toBe('fronted')
    replica.hear(takeBack(typo.id, typo.about))
    expect(replica.statements.repo(typo.about)).toBeUndefined()
    const [naming] = replica.statements.repo(repos.mobile)?.namings ?? []
    replica.hear(takeBack(naming ?? '', repos.mobile))
    expect(replica.statements.repo(repos.mobile)).toMatchObject({
      name: 'mobile',
      holder: { claim_id: claims.mobile.id },
    })
  })
})

describe('a founder that gave one id to two projects', () => {
  test('is held to the same one everywhere, and what it says under the other has no effect', () => {
    const [backend, frontend] = [new Author('backend'), new Author('frontend')]
    const of = 'project-of-one-who-signs-nothing'
    const foundings = ['Auth', 'Billing'].map((name) => backend.found(at(0), { name, of }))
    const [first, second] = foundings.sort((a, b) => (a.id < b.id ? -1 : 1)) as [Statement, Statement]
    const claim = frontend.claim(of, 'frontend', at(2))
    const next = new Author('next')
    const rotated = backend.rotate(second, next, { at: at(12) })
    const said = [
      titled(backend, second, 10),
      backend.settle(second, at(11), { repo: claim.about, ended: [[claim, null]] }),
      rotated,
      titled(next, rotated, 13),
    ]
    const whole = [...foundings, claim, ...said]
    for (const history of [whole, whole.toReversed()]) {
      const replica = new Replica().hearAll(history)
      expect(replica.statements.project?.name).toBe(first.body['name'])
      expect(holderIn(replica, claim.about)).toBe('frontend')
      expect(canSpeak(replica, titled(backend, first, 20))).toBe(true)
      expect(canSpeak(replica, titled(frontend, claim, 21))).toBe(true)
    }
  })
})

describe('one word more about who speaks for a repo', () => {
  /** Eve claims five thousand repos, and it is counted how often one of those claims is looked at. */
  function besideManyClaims() {
    const scene = openScene()
    const eve = new Author('eve')
    let looks = 0
    const watched = (statement: Statement): Statement =>
      new Proxy(statement, {
        get(target, name) {
          looks++
          return Reflect.get(target, name)
        },
      })
    const { replica, project } = scene
    for (let index = 0; index < 5000; index++)
      replica.hear(watched(eve.claim(project, `repo-${index}`, at(10))))
    const own = eve.claim(project, 'eve', at(10))
    const looksAfter = (word: Statement): number => {
      expect(replica.statements.project?.name).toBe('Auth')
      looks = 0
      expect(replica.hear(word)).toBe('taken')
      expect(replica.statements.project?.name).toBe('Auth')
      replica.statements.repo(word.about)
      return looks
    }
    return { ...scene, eve, own, looksAfter }
  }

  test('looks at none of the claims of other repos again, however many there are', () => {
    const { eve, own, backend, founding, looksAfter } = besideManyClaims()
    const next = new Author('eve, later')
    const rotated = eve.rotate(own, next, { at: at(13) })
    const words = {
      claim: own,
      confirmation: backend.confirm(founding, own, at(11)),
      naming: eve.nameRepo(own, 'another', at(12)),
      vote: eve.settle(own, at(12), { repo: own.about, holder: own }),
      rotation: rotated,
      release: next.release(rotated, at(14)),
      settlement: backend.settle(founding, at(15), { repo: own.about }),
    }
    const looks = Object.entries(words).map(([name, word]) => [name, looksAfter(word)])
    expect(Object.fromEntries(looks)).toEqual(Object.fromEntries(Object.keys(words).map((name) => [name, 0])))
  })
})
