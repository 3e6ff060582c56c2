import { describe, expect, test } from 'vitest'
import type { Statement } from '../../src/domain/statements/statement.ts'
import { at } from '../domain/statements/at.ts'
import { Author } from '../domain/statements/author.ts'
import { Replica } from '../domain/statements/replica.ts'
import { openScene } from '../domain/statements/scene.ts'

/** What somebody can try who agreed, and says later that it had left, or had another key, before that. */

type Scene = ReturnType<typeof agreedScene>

function agreedScene() {
  const scene = openScene()
  const { backend, mobile, claims, repos, replica } = scene
  const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, repos.mobile] })
  const agreed = mobile.answer(claims.mobile, proposed, { at: at(15), action: 'agree' })
  replica.hearAll([proposed, agreed])
  return { ...scene, proposed, agreed }
}

const endings: [string, (scene: Scene, second: number) => Statement][] = [
  ['release', ({ mobile, claims }, second) => mobile.release(claims.mobile, at(second))],
  [
    'new key',
    ({ mobile, claims }, second) => mobile.rotate(claims.mobile, new Author('later'), { at: at(second) }),
  ],
]

describe.each(endings)('a %s that is dated before what was agreed since', (_, ending) => {
  const statusIn = ({ replica, proposed }: Scene) => replica.statements.contract(proposed.about)?.status

  test('is outranked by the founder’s word until when that counts', () => {
    const scene = agreedScene()
    const { replica, backend, founding, claims, repos, story, proposed, agreed } = scene
    const left = ending(scene, 6)
    replica.hear(left)
    expect(statusIn(scene)).toBe('proposed')
    const settled = backend.settle(founding, at(30), {
      repo: repos.mobile,
      ended: [[claims.mobile, at(20)]],
      restored: [claims.mobile],
    })
    replica.hear(settled)
    expect(statusIn(scene)).toBe('agreed')
    const otherwise = new Replica().hearAll([...story, settled, left, agreed, proposed])
    expect(otherwise.state()).toEqual(replica.state())
  })

  test('lets nothing count that was said after the time that the founder names', () => {
    const scene = agreedScene()
    const { replica, backend, founding, claims, repos, mobile } = scene
    const late = mobile.share(claims.mobile, at(21))
    replica.hearAll([
      ending(scene, 6),
      late,
      backend.settle(founding, at(30), {
        repo: repos.mobile,
        ended: [[claims.mobile, at(20)]],
        restored: [claims.mobile],
      }),
    ])
    expect(replica.statements.packet(late.about)?.counts).toBe(false)
  })
})

test('whoever takes the key of one that replaced it gets no word by its expulsion', () => {
  const { replica, backend, founding, claims, repos, mobile } = agreedScene()
  const stolen = mobile.share(claims.mobile, at(21))
  replica.hearAll([
    mobile.rotate(claims.mobile, new Author('later'), { at: at(20) }),
    stolen,
    backend.settle(founding, at(30), { repo: repos.mobile, ended: [[claims.mobile, at(30)]] }),
  ])
  expect(replica.statements.packet(stolen.about)).toMatchObject({ counts: false, mark: 'rotated' })
})

test('a settlement restores nothing that it does not end', () => {
  const { replica, backend, founding, claims, repos, mobile, proposed } = agreedScene()
  replica.hearAll([
    mobile.rotate(claims.mobile, new Author('later'), { at: at(6) }),
    backend.settle(founding, at(30), { repo: repos.mobile, restored: [claims.mobile] }),
  ])
  expect(replica.statements.contract(proposed.about)?.status).toBe('proposed')
})
