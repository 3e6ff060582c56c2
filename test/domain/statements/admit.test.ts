import { describe, expect, test } from 'vitest'
import { type Statement, signedText, withoutContent } from '../../../src/domain/statements/statement.ts'
import { signatureOf } from '../../support/simulated/identity.ts'
import { at } from './at.ts'
import { Author, nonceOf } from './author.ts'
import { Replica } from './replica.ts'
import { openScene } from './scene.ts'

/** What an invited but hostile member could try, and what a statement has to bring along. */

describe('a statement is admitted', () => {
  test('when it is signed with the key of the claim that it is under', () => {
    const { backend, claims, repos, replica } = openScene()
    expect(replica.hear(backend.propose(claims.backend, at(10), { parties: [repos.frontend] }))).toBe('taken')
  })

  test('once', () => {
    const { replica, story } = openScene()
    expect(story.map((one) => replica.hear(one))).toEqual(story.map(() => 'known'))
  })

  test('in a kind that is not known here, and has no effect', () => {
    const { backend, claims, replica } = openScene()
    const before = replica.state()
    const later = backend.under(claims.backend, {
      kind: 'weather',
      about: 'sky',
      at: at(10),
      body: { rain: true },
    })
    expect(replica.hear(later)).toBe('taken')
    expect(replica.state()).toMatchObject({ ...(before as object), ids: expect.arrayContaining([later.id]) })
  })

  test('with keys in its body that are not known here', () => {
    const { backend, claims, replica, project } = openScene()
    const body = { field: 'name', value: 'Login', colour: 'blue' }
    expect(
      replica.hear(backend.under(claims.backend, { kind: 'title', about: project, at: at(10), body })),
    ).toBe('taken')
    expect(replica.statements.project?.name).toBe('Login')
  })
})

describe('a statement waits', () => {
  test('for what it cites, in whatever order that comes, and is then judged by itself', () => {
    const { story, backend, frontend, claims, repos } = openScene()
    const proposed = backend.propose(claims.backend, at(10), { parties: [repos.frontend] })
    const agreed = frontend.answer(claims.frontend, proposed, { at: at(11), action: 'agree' })
    const replica = new Replica()
    expect(replica.hear(agreed)).toBe('waits')
    expect(replica.hear(proposed)).toBe('waits')
    replica.hearAll(story.toReversed())
    expect(replica.statements.contract(proposed.about)?.status).toBe('agreed')
  })

  test('as one of at most a thousand of its key, in nobody else’s way', () => {
    const { backend, frontend, claims } = openScene()
    const replica = new Replica()
    const flood = Array.from({ length: 1001 }, (_, index) =>
      replica.hear(backend.share(claims.backend, at(10 + index))),
    )
    expect(flood.filter((outcome) => outcome === 'no room')).toHaveLength(1)
    expect(replica.hear(frontend.share(claims.frontend, at(10)))).toBe('waits')
  })

  test('without its content until its author’s redaction is here, and both come in together', () => {
    const { story, frontend, claims, replica } = openScene()
    const secret = frontend.share(claims.frontend, at(10))
    const taken = frontend.redact(claims.frontend, secret, at(11))
    expect(replica.hear(withoutContent(secret))).toBe('waits')
    expect(replica.statements.packet(secret.about)).toBeUndefined()
    replica.hear(taken)
    expect(replica.statements.packet(secret.about)).toMatchObject({
      content: null,
      redacted: { reason: 'a secret' },
    })
    const other = new Replica().hearAll(story)
    expect(other.hear(taken)).toBe('waits')
    expect(other.hear(withoutContent(secret))).toBe('taken')
    expect(other.state()).toEqual(replica.state())
  })
})

describe('a statement is refused', () => {
  const scene = openScene()
  const { backend, frontend, mobile, founding, claims, repos, project } = scene
  const proposed = backend.propose(claims.backend, at(10), { parties: [repos.backend, repos.frontend] })
  const decision = backend.share(claims.backend, at(10))
  const heard = () => new Replica().hearAll([...scene.story, proposed, decision])

  test.each([
    [
      'under somebody else’s claim',
      frontend.share(claims.backend, at(11)),
      'key is not the one that it speaks under',
    ],
    [
      'as a version in somebody else’s name',
      frontend.revise(claims.backend, proposed, { at: at(11) }),
      'key is not the one that it speaks under',
    ],
    [
      'as a redaction of somebody else’s packet',
      frontend.redact(claims.frontend, decision, at(11)),
      'of is a statement of somebody else',
    ],
    [
      'with a version that does not follow',
      frontend.revise(claims.frontend, proposed, { at: at(11), version: 7 }),
      'version must be 2, one more than what it builds on',
    ],
    [
      'as the first version of a contract whose id comes from another key',
      frontend.under(claims.frontend, {
        ...openingOf(proposed),
        body: { ...proposed.body, nonce: nonceOf('x') },
      }),
      'about does not come from what it says',
    ],
    [
      'as a second opening of its author’s own contract with other words',
      backend.under(claims.backend, {
        ...openingOf(proposed),
        body: { ...proposed.body, parties: [repos.backend] },
        content: { value: { path: '/other' }, note: '' },
      }),
      'about does not come from what it says',
    ],
    [
      'as a packet whose id comes from another key',
      frontend.under(claims.frontend, {
        kind: 'packet',
        about: decision.about,
        at: at(10),
        body: decision.body,
      }),
      'about does not come from what it says',
    ],
    [
      'as an older founding of a project of somebody else',
      mobile.say({ ...openingOf(founding), project_id: project, at: at(-1) }),
      'key is not the one that it speaks under',
    ],
    [
      'as a confirmation by somebody else than the founder',
      frontend.confirm(claims.frontend, claims.mobile, at(11)),
      'is for the founder of the project',
    ],
    [
      'as a release of somebody else’s claim',
      frontend.under(claims.frontend, { kind: 'release', about: repos.mobile, at: at(11), body: {} }),
      'is about another repo than the one that says it',
    ],
    [
      'as a description of another repo',
      frontend.under(claims.frontend, {
        kind: 'description',
        about: repos.mobile,
        at: at(11),
        body: { role: 'x', language: 'x', relevant_paths: [], url: null, endpoint: null },
      }),
      'is about another repo than the one that says it',
    ],
    [
      'as a withdrawal of a later version',
      backend.under(claims.backend, {
        kind: 'withdrawal',
        about: proposed.about,
        at: at(11),
        body: { revision: decision.id },
      }),
      'cites a packet in the place of a revision',
    ],
    [
      'as an answer about another contract',
      frontend.under(claims.frontend, {
        kind: 'answer',
        about: 'elsewhere',
        at: at(11),
        body: { revision: proposed.id, action: 'agree' },
      }),
      'cites a revision about something else',
    ],
    [
      'more than five minutes ahead',
      frontend.share(claims.frontend, at(1301)),
      'at is more than 5 minutes ahead of this clock',
    ],
    [
      'with a body that its kind does not know',
      frontend.under(claims.frontend, {
        kind: 'answer',
        about: proposed.about,
        at: at(11),
        body: { revision: proposed.id, action: 'shrug' },
      }),
      'body.action Invalid option: expected one of "agree"|"request_change"|"reject"',
    ],
    [
      'as a rotation that skips one',
      frontend.rotate(claims.frontend, mobile, { at: at(11), count: 2 }),
      'count does not follow that of the key before',
    ],
  ])('%s', (_, statement, reason) => {
    const replica = heard()
    const before = replica.state()
    expect(replica.hear(statement)).toBe(`refused: ${reason}`)
    expect(replica.state()).toEqual(before)
  })

  test('with a signature by another key', () => {
    const forged = backend.share(claims.backend, at(11))
    const sig = signatureOf(frontend.publicKey, signedText(forged.id))
    expect(heard().hear({ ...forged, sig })).toBe('refused: sig is not by its key')
  })

  test('as a rotation to a key that does not want the word of another', () => {
    const { id, sig, ...said } = frontend.rotate(claims.frontend, mobile, { at: at(11) })
    const body = { ...said.body, proof: 'p'.repeat(86) }
    expect(heard().hear(frontend.say({ ...said, body }))).toBe('refused: proof is not by the new key')
  })

  test('in another project than the one that it was made for', () => {
    const other = new Author('other').found(at(0))
    const replica = heard()
    replica.hear(other)
    const { id, sig, ...said } = frontend.share(claims.frontend, at(11))
    expect(replica.hear(frontend.say({ ...said, project_id: other.project_id }))).toBe(
      'refused: cites a statement of another project',
    )
  })

  test('under a rotation of a key that is not its own, and taken under its own', () => {
    const next = new Author('frontend, later')
    const rotation = frontend.rotate(claims.frontend, next, { at: at(11) })
    const replica = heard()
    expect(replica.hear(rotation)).toBe('taken')
    expect(replica.hear(mobile.share(rotation, at(12)))).toBe(
      'refused: key is not the one that it speaks under',
    )
    expect(replica.hear(next.share(rotation, at(12)))).toBe('taken')
  })

  test('whatever arrives later', () => {
    const replica = heard()
    const forged = frontend.share(claims.backend, at(11))
    const first = replica.hear(forged)
    replica.hearAll([frontend.rotate(claims.frontend, new Author('later'), { at: at(9) })])
    expect(replica.hear(forged)).toBe(first)
    expect(project).toBe(founding.project_id)
  })

  function openingOf({ kind, about, at, body }: Statement) {
    return { kind, about, at, body }
  }
})
