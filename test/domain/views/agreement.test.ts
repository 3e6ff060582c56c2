import { describe, expect, test } from 'vitest'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import { at } from '../builders.ts'
import { Author } from '../statements/author.ts'
import { Replica } from '../statements/replica.ts'
import { openScene } from '../statements/scene.ts'

/** When a contract is agreed, what is in force meanwhile, and how far the work is. */

function negotiation(
  parties: readonly ('backend' | 'frontend' | 'mobile')[] = ['backend', 'frontend', 'mobile'],
) {
  const scene = openScene()
  const { backend, replica, claims, repos } = scene
  const first = backend.propose(claims.backend, at(10), { parties: parties.map((name) => repos[name]) })
  replica.hear(first)
  const contract = () => {
    const found = replica.statements.contract(first.about)
    if (found === undefined) throw new Error('the contract is gone')
    return found
  }
  const answer = (
    who: 'backend' | 'frontend' | 'mobile',
    to: Statement,
    action: 'agree' | 'request_change' | 'reject',
    second: number,
  ) => {
    const said = scene[who].answer(claims[who], to, { at: at(second), action })
    replica.hear(said)
    return said
  }
  const history = () => replica.statements.history(first.about)
  return { ...scene, first, contract, history, answer }
}

describe('a contract is agreed', () => {
  test('by one agree among two', () => {
    const { contract, answer, first } = negotiation(['backend', 'frontend'])
    expect(contract().status).toBe('proposed')
    answer('frontend', first, 'agree', 11)
    expect(contract()).toMatchObject({ status: 'agreed', in_force: { status: 'agreed' } })
  })

  test('among three only when nobody is left, and an objection is not overridden by another’s agree', () => {
    const { contract, answer, first, repos } = negotiation()
    answer('mobile', first, 'request_change', 11)
    answer('frontend', first, 'agree', 12)
    expect(contract()).toMatchObject({ status: 'negotiating', objections: [repos.mobile], unanswered: [] })
    expect(contract().in_force).toBeUndefined()
    answer('mobile', first, 'agree', 13)
    expect(contract()).toMatchObject({ status: 'agreed', objections: [] })
  })

  test('by its author where that is its only party', () => {
    const { contract, answer, first } = negotiation(['backend'])
    expect(contract().status).toBe('proposed')
    answer('backend', first, 'agree', 11)
    expect(contract().status).toBe('agreed')
  })

  test('not by the author’s own answer, nor by somebody who is no party', () => {
    const { contract, history, answer, first } = negotiation(['backend', 'frontend'])
    const own = answer('backend', first, 'agree', 11)
    const foreign = answer('mobile', first, 'agree', 12)
    expect(contract().status).toBe('proposed')
    expect(history()).toMatchObject({ answers: [{ id: own.id }], without_effect: [foreign.id] })
  })

  test('without a repo that was removed meanwhile', () => {
    const { contract, answer, first, backend, founding, replica, mobile, claims, repos } = negotiation()
    answer('frontend', first, 'agree', 11)
    expect(contract().unanswered).toEqual([repos.mobile])
    const [naming = ''] = replica.statements.repo(repos.mobile)?.namings ?? []
    replica.hearAll([
      mobile.release(claims.mobile, at(12)),
      backend.under(founding, { kind: 'removal', about: repos.mobile, at: at(13), body: { naming } }),
    ])
    expect(contract()).toMatchObject({ status: 'agreed', unanswered: [] })
  })
})

describe('a version in force', () => {
  function inForce() {
    const scene = negotiation()
    scene.answer('frontend', scene.first, 'agree', 11)
    scene.answer('mobile', scene.first, 'agree', 12)
    return scene
  }

  test('stays in force while a change of it is negotiated, and nobody is written out by the change', () => {
    const { contract, answer, first, frontend, claims, repos, replica } = inForce()
    const change = frontend.revise(claims.frontend, first, {
      at: at(20),
      parties: [repos.backend, repos.frontend],
    })
    replica.hear(change)
    expect(contract()).toMatchObject({
      status: 'proposed',
      in_force: { revision: { id: first.id }, status: 'agreed' },
    })
    answer('backend', change, 'agree', 21)
    expect(contract().unanswered).toEqual([repos.mobile])
    answer('mobile', change, 'agree', 22)
    expect(contract()).toMatchObject({ status: 'agreed', in_force: { revision: { id: change.id } } })
    expect(contract().head.parties).toEqual([repos.backend, repos.frontend].sort())
  })

  test('is not unseated by a later objection, which stands until it is met', () => {
    const { contract, answer, first, repos } = inForce()
    answer('mobile', first, 'reject', 20)
    expect(contract()).toMatchObject({
      status: 'negotiating',
      objections: [repos.mobile],
      in_force: { revision: { id: first.id }, status: 'agreed' },
    })
  })

  test('cannot be withdrawn, but retired by all', () => {
    const { contract, answer, first, backend, claims, replica } = inForce()
    const body = { revision: first.id }
    replica.hear(backend.under(claims.backend, { kind: 'withdrawal', about: first.about, at: at(20), body }))
    expect(contract().is_withdrawn).toBe(false)
    const end = backend.revise(claims.backend, first, { at: at(21), retire: true })
    replica.hear(end)
    answer('frontend', end, 'agree', 22)
    expect(contract()).toMatchObject({ is_retired: false, in_force: { revision: { id: first.id } } })
    answer('mobile', end, 'agree', 23)
    expect(contract()).toMatchObject({ is_retired: true, status: 'agreed' })
    expect(contract().in_force).toBeUndefined()
  })

  test('keeps its content though its author takes it back', () => {
    const { contract, first, backend, claims, replica } = inForce()
    replica.hear(backend.redact(claims.backend, first, at(20)))
    expect(contract().head).toMatchObject({ content: { path: '/me' }, redacted: null })
  })

  test('on another branch is a conflict until a version brings both together', () => {
    const { contract, first, backend, frontend, claims, replica } = inForce()
    const [left, right] = [
      backend.revise(claims.backend, first, { at: at(20), content: { left: true } }),
      frontend.revise(claims.frontend, first, { at: at(21), content: { right: true } }),
    ]
    replica.hearAll([right, left])
    expect(contract().head.id).toBe(right.id)
    expect(contract().conflicts.map(({ id }) => id)).toEqual([left.id])
    replica.hear(backend.revise(claims.backend, right, { at: at(22), resolves: [left] }))
    expect(contract().conflicts).toEqual([])
  })
})

describe('a change', () => {
  test('by somebody who is no party has no effect, nor has what is built on it', () => {
    const { contract, history, first, mobile, claims, replica, repos, backend } = negotiation([
      'backend',
      'frontend',
    ])
    const foreign = mobile.revise(claims.mobile, first, { at: at(20), parties: [repos.mobile] })
    const onTop = backend.revise(claims.backend, foreign, { at: at(21), parties: [repos.backend] })
    replica.hearAll([foreign, onTop])
    expect(contract().head.id).toBe(first.id)
    expect(history()).toMatchObject({ without_effect: [foreign.id, onTop.id] })
  })

  test('can make a late repository a party', () => {
    const { contract, first, backend, claims, replica, repos, mobile } = negotiation(['backend', 'frontend'])
    const change = backend.revise(claims.backend, first, { at: at(20), parties: Object.values(repos) })
    replica.hear(change)
    expect(contract().unanswered).toEqual([repos.frontend, repos.mobile].sort())
    replica.hear(mobile.answer(claims.mobile, change, { at: at(21), action: 'reject' }))
    expect(contract().objections).toEqual([repos.mobile])
  })

  test('of a contract whose name or type it gives anew names nothing anew', () => {
    const { contract, first, frontend, claims, replica } = negotiation()
    const { id, sig, key, ...said } = frontend.revise(claims.frontend, first, { at: at(20) })
    replica.hear(frontend.say({ ...said, body: { ...said.body, name: 'Mine', type: 'custom' } }))
    expect(contract()).toMatchObject({ name: 'Me', type: 'api_endpoint', head: { version: 2 } })
  })
})

describe('work on a contract', () => {
  function atWork() {
    const scene = negotiation(['backend', 'frontend'])
    const { first, answer, replica, repos, claims } = scene
    answer('frontend', first, 'agree', 11)
    const complete = (who: 'backend' | 'frontend', second: number) => {
      const said = scene[who].work(claims[who], first, { at: at(second), status: 'complete' })
      replica.hear(said)
      return { repo_id: repos[who], work: said.id }
    }
    const verify = (
      result: 'success' | 'failure' | 'partial',
      judged: ReturnType<typeof complete>[],
      second: number,
      blames: string[] = [],
    ) =>
      replica.hear(scene.frontend.verify(claims.frontend, first, { at: at(second), result, judged, blames }))
    return { ...scene, complete, verify }
  }

  test('is implemented when every party completed, and verified when that very work was', () => {
    const { contract, complete, verify } = atWork()
    const judged = [complete('backend', 12), complete('frontend', 13)]
    expect(contract().status).toBe('implemented')
    verify('success', judged, 14)
    expect(contract().status).toBe('verified')
    complete('backend', 15)
    expect(contract().status).toBe('implemented')
  })

  test('fails for those who are blamed, also after it was verified; the others need not complete again', () => {
    const { contract, complete, verify, repos } = atWork()
    const judged = [complete('backend', 12), complete('frontend', 13)]
    verify('success', judged, 14)
    verify('failure', judged, 15, [repos.backend])
    expect(contract().status).toBe('agreed')
    expect(Object.fromEntries(contract().works.map(({ repo_id, status }) => [repo_id, status]))).toEqual({
      [repos.backend]: 'needs_revision',
      [repos.frontend]: 'complete',
    })
    const mended = [complete('backend', 16), judged[1]].filter((one) => one !== undefined)
    expect(contract().status).toBe('implemented')
    verify('success', mended, 17)
    expect(contract().status).toBe('verified')
  })

  test('of somebody who is no party has no effect', () => {
    const { contract, history, mobile, claims, first, replica } = atWork()
    const foreign = mobile.work(claims.mobile, first, { at: at(12), status: 'complete' })
    replica.hear(foreign)
    expect(contract().works).toEqual([])
    expect(history()).toMatchObject({ works: [], without_effect: [foreign.id] })
  })

  test('is not spoilt by what somebody says of it who is no party', () => {
    const { contract, complete, mobile, claims, first, replica } = atWork()
    const judged = [complete('backend', 12), complete('frontend', 13)]
    replica.hear(mobile.verify(claims.mobile, first, { at: at(14), result: 'failure', judged }))
    expect(contract()).toMatchObject({
      status: 'implemented',
      works: [
        { status: 'complete', failures: [] },
        { status: 'complete', failures: [] },
      ],
    })
  })

  test('stays done while a change is negotiated', () => {
    const { contract, complete, verify, backend, claims, first, replica } = atWork()
    verify('success', [complete('backend', 12), complete('frontend', 13)], 14)
    replica.hear(backend.revise(claims.backend, first, { at: at(20) }))
    expect(contract()).toMatchObject({ status: 'proposed', in_force: { status: 'verified' } })
  })
})

test('a contract that was withdrawn before anything was agreed is marked so, by its author’s word alone', () => {
  const { contract, first, frontend, backend, claims, replica } = negotiation()
  const withdrawal = (author: Author, under: Statement) =>
    author.under(under, { kind: 'withdrawal', about: first.about, at: at(20), body: { revision: first.id } })
  replica.hear(withdrawal(frontend, claims.frontend))
  expect(contract().is_withdrawn).toBe(false)
  replica.hear(withdrawal(backend, claims.backend))
  expect(contract().is_withdrawn).toBe(true)
})

describe('whoever opened a contract', () => {
  test('is not written out of it by another party before anything was agreed', () => {
    const { mobile, replica, claims, repos, contract, first, answer } = negotiation()
    const alone = mobile.revise(claims.mobile, first, { at: at(11), parties: [repos.mobile] })
    replica.hear(alone)
    answer('mobile', alone, 'agree', 12)
    expect(contract()).toMatchObject({ status: 'proposed', in_force: undefined })
    answer('backend', alone, 'agree', 13)
    expect(contract().in_force?.revision.id).toBe(alone.id)
  })
})

describe('an id that somebody gave who signs nothing', () => {
  test('belongs to whoever the founder confirmed, however early another one says it was', () => {
    const { backend, frontend, project, founding, claims, repos, replica } = openScene()
    const eve = new Author('eve')
    const plain = backend.claim(project, 'plain', at(6), 'plain-agent')
    const proposed = backend.propose(plain, at(10), {
      of: 'contract-1',
      parties: [plain.about, repos.frontend],
    })
    const shared = backend.share(plain, at(10), { of: 'packet-1', text: 'as it was' })
    const pretended = eve.claim(project, 'invented', at(7), 'nobody')
    const other = eve.propose(pretended, at(8), {
      of: 'contract-1',
      parties: [pretended.about],
      name: 'Other',
    })
    const next = eve.revise(pretended, other, { at: at(30), content: { path: '/other' } })
    const history = [
      plain,
      backend.confirm(founding, plain, at(6)),
      proposed,
      frontend.answer(claims.frontend, proposed, { at: at(11), action: 'agree' }),
      shared,
      pretended,
      other,
      eve.answer(pretended, other, { at: at(9), action: 'agree' }),
      next,
      eve.answer(pretended, next, { at: at(31), action: 'agree' }),
      eve.share(pretended, at(8), { of: 'packet-1', text: 'otherwise' }),
    ]
    replica.hearAll(history)
    expect(replica.statements.contract('contract-1')).toMatchObject({
      name: 'Me',
      created_by: plain.about,
      conflicts: [],
      in_force: { revision: { id: proposed.id } },
    })
    expect(replica.statements.packet('packet-1')?.content).toEqual({ text: 'as it was' })
    const reversed = new Replica().hearAll([...openScene().story, ...history.toReversed()])
    expect(reversed.state()).toEqual(replica.state())
  })

  test('is not hidden by a claim that does not count', () => {
    const { backend, project, founding, replica } = openScene()
    const eve = new Author('eve')
    const plain = backend.claim(project, 'plain', at(6), 'plain-agent')
    const pretended = eve.claim(project, 'plain', at(4), 'plain-agent')
    replica.hearAll([
      plain,
      backend.confirm(founding, plain, at(6)),
      backend.share(plain, at(10), { of: 'packet-1', text: 'as it was' }),
      pretended,
      eve.share(pretended, at(8), { of: 'packet-1', text: 'otherwise' }),
    ])
    expect(replica.statements.packet('packet-1')).toMatchObject({
      content: { text: 'as it was' },
      counts: true,
    })
  })
})
