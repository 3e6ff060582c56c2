import { expect, test } from 'vitest'
import { type Statement, withoutContent } from '../../../src/domain/statements/statement.ts'
import { ProjectStatements } from '../../../src/domain/views/project-statements.ts'
import { at } from '../builders.ts'
import { Author } from '../statements/author.ts'
import { openScene } from '../statements/scene.ts'

test('a packet that was looked for among contracts, repos and projects is still found as a packet', () => {
  const { replica, backend, claims } = openScene()
  const said = backend.share(claims.backend, at(10))
  replica.hear(said)
  const { statements } = replica
  expect(statements.contract(said.about)).toBeUndefined()
  expect(statements.repo(said.about)).toBeUndefined()
  expect(statements.packet(said.about)).toMatchObject({ content: { text: 'we use JWT' } })
  expect(statements.repo(claims.backend.about)).toBeDefined()
  expect(statements.packet(claims.backend.about)).toBeUndefined()
  expect(statements.repo(claims.backend.about)).toMatchObject({ name: 'backend' })
})

test('what nobody said anything about is nothing, also when it is asked for before and after', () => {
  const { replica, frontend, claims } = openScene()
  const said = frontend.share(claims.frontend, at(10))
  expect(replica.statements.packet(said.about)).toBeUndefined()
  expect(replica.statements.history(said.about)).toBeUndefined()
  replica.hear(said)
  expect(replica.statements.packet(said.about)).toBeDefined()
})

test('a claim or a naming that changes nobody’s word leaves what was folded as it is', () => {
  const { replica, backend, claims } = openScene()
  const { statements } = replica
  const proposed = backend.propose(claims.backend, at(10), { parties: [claims.backend.about] })
  const shared = backend.share(claims.backend, at(10))
  replica.hearAll([proposed, shared])
  const before = [statements.contract(proposed.about), statements.packet(shared.about)]
  const other = new Author('other')
  replica.hearAll([
    backend.nameRepo(claims.backend, 'docs', at(11)),
    other.claim(claims.backend.project_id, 'docs', at(12)),
  ])
  const [contract, packet] = [statements.contract(proposed.about), statements.packet(shared.about)]
  expect([contract === before[0], packet === before[1]]).toEqual([true, true])
})

test('a repo that comes or goes is noticed by the contracts that name it as a party', () => {
  const { replica, backend, founding, claims } = openScene()
  const named = backend.nameRepo(claims.backend, 'docs', at(11))
  const proposed = backend.propose(claims.backend, at(10), { parties: [claims.backend.about, named.about] })
  replica.hear(proposed)
  const parties = () => replica.statements.contract(proposed.about)?.head.parties
  expect(parties()).toEqual([claims.backend.about])
  replica.hear(named)
  expect(parties()).toHaveLength(2)
  const body = { naming: named.id }
  replica.hear(backend.under(founding, { kind: 'removal', about: named.about, at: at(12), body }))
  expect(parties()).toEqual([claims.backend.about])
})

test('a long contract of which contents are taken away is told as one that was heard of at once', () => {
  const { replica, backend, claims } = openScene()
  const parties = [claims.backend.about]
  const first = backend.propose(claims.backend, at(10), { parties })
  const history = [first]
  for (let n = 1; n <= 20; n++)
    history.push(
      backend.revise(claims.backend, history.at(-1) ?? first, {
        at: at(10 + n),
        content: { path: `/v${n}` },
      }),
    )
  replica.hearAll(history)
  expect(replica.statements.contract(first.about)?.head).toMatchObject({ version: 21 })
  const { statements } = replica
  for (const [index, of] of [history[3], history[20], first].entries()) {
    if (of === undefined) continue
    replica.hear(backend.redact(claims.backend, of, at(50 + index)))
    const kept = statements.inPlaceOf(of)
    if (kept !== undefined) statements.put({ ...kept, statement: withoutContent(of) })
    const anew = new ProjectStatements()
    for (const one of statements.kept()) anew.put(one)
    expect(statements.contract(first.about)).toEqual(anew.contract(first.about))
    expect(statements.history(first.about)).toEqual(anew.history(first.about))
  }
})

test('the newest of what a key has said is known, also when that is taken back, dropped or said anew', () => {
  const { replica, backend, frontend, claims } = openScene()
  const { statements } = replica
  const newest = () => statements.newestBy(backend.key)
  const put = (statement: Statement) => statements.put({ statement, bytes: 1, seq: 99 })
  put(backend.share(claims.backend, at(10)))
  put(frontend.share(claims.frontend, at(50)))
  expect(newest()).toBe(at(10))
  const takeBack = put(backend.describe(claims.backend, at(20), 'api'))
  expect(newest()).toBe(at(20))
  takeBack()
  expect(newest()).toBe(at(10))
  const last = backend.describe(claims.backend, at(30), 'api')
  put(last)
  const putBack = statements.drop(last.id)
  expect(newest()).toBe(at(10))
  putBack?.()
  expect(newest()).toBe(at(30))
  put(backend.describe(claims.backend, at(40), 'web'))
  expect(newest()).toBe(at(40))
  expect(statements.newestBy('nobody')).toBeUndefined()
})
