import { describe, expect, test } from 'vitest'
import { maySendStatement, statementsForNonMember } from '../../src/domain/delivery/visibility.ts'
import { maySee, type Viewer } from '../../src/domain/lookup.ts'
import type { Invitation } from '../../src/domain/model.ts'
import type { Statement } from '../../src/domain/statements/statement.ts'
import { at } from './builders.ts'
import { Author } from './statements/author.ts'
import { type Name, Story } from './story.ts'

/** A peer that was paired under this name. */
const paired = (name: string, invitedTo: readonly Invitation[] = []): Viewer => ({
  kind: 'peer',
  agentId: name,
  repoName: name,
  pinned: { key: new Author(name).key, invitedTo },
})

const NAMED: readonly Name[] = ['backend', 'frontend', 'mobile']
const closed = (joined: readonly Name[]) => new Story({ visibility: 'members', named: NAMED, joined })

describe('a project that is kept among its members', () => {
  test('is shown to the keys that hold a repo, and to whoever founded it', () => {
    const { found } = closed(['frontend'])
    expect(maySee(found, paired('frontend'))).toBe(true)
    expect(maySee(found, paired('backend'))).toBe(true)
    expect(maySee(found, paired('stranger'))).toBe(false)
  })

  test('is shown to the key that took the place of a member, before the project has heard of that', () => {
    const { found } = closed(['frontend'])
    const successor = (...vouching: string[]): Viewer => ({
      ...paired('stranger'),
      pinned: {
        key: new Author('successor').key,
        formerKeys: vouching.map((name) => new Author(name).key),
        invitedTo: [],
      },
    })
    expect(maySee(found, successor('frontend'))).toBe(true)
    expect(maySee(found, successor('earlier', 'backend'))).toBe(true)
    expect(maySee(found, successor('stranger'))).toBe(false)
  })

  test('is shown to a peer that was paired under the name of a repo, until somebody claims that', () => {
    const story = closed(['backend'])
    const impostor: Viewer = {
      ...paired('mobile'),
      pinned: { key: new Author('impostor').key, invitedTo: [] },
    }
    expect(maySee(story.found, impostor)).toBe(true)
    story.joins('mobile', at(5))
    expect(maySee(story.found, impostor)).toBe(false)
    expect(maySee(story.found, paired('mobile'))).toBe(true)
  })

  test('is not shown to one that only registered under such a name, nor to one that goes by the id of a member', () => {
    const { found } = closed(['backend', 'frontend'])
    const { pinned: _, ...registered } = paired('mobile')
    expect(maySee(found, registered)).toBe(false)
    expect(maySee(found, { ...registered, isNameBelieved: true })).toBe(true)
    const named: Viewer = { ...paired('stranger'), agentId: 'frontend', repoName: null }
    expect(maySee(found, named)).toBe(false)
  })

  test('is not shown any more to one that gave its repo back, or was expelled', () => {
    const story = closed(['backend', 'frontend', 'mobile'])
    story.releases('frontend', at(20))
    expect(maySee(story.found, paired('frontend'))).toBe(false)
    const { backend } = story.authors
    story.say(backend.settle(story.founding, at(21), { repo: story.repoId('mobile') }))
    expect(maySee(story.found, paired('mobile'))).toBe(false)
  })

  test('tells one that was expelled by whose word it was, and nothing else any more', () => {
    const story = closed(['backend', 'frontend', 'mobile'])
    const { backend, frontend } = story.authors
    const settlement = backend.settle(story.founding, at(21), { repo: story.repoId('mobile') })
    story.say(settlement)
    const packet = frontend.share(story.claims.frontend as Statement, at(22))
    story.say(packet)
    expect(maySendStatement(story.found, paired('mobile'), settlement)).toBe(true)
    expect(maySendStatement(story.found, paired('mobile'), packet)).toBe(false)
    // Not even of what its repo is called and made for since.
    const naming = backend.nameRepo(story.founding, 'mobile', at(23))
    story.say(naming)
    expect(naming.about).toBe(story.repoId('mobile'))
    expect(maySendStatement(story.found, paired('mobile'), naming)).toBe(false)
    expect(maySendStatement(story.found, paired('stranger'), settlement)).toBe(false)
  })

  test('tells one that gave its repo back of all that is said about who holds that', () => {
    const story = closed(['backend', 'frontend', 'mobile'])
    story.releases('mobile', at(20))
    const kinds = Array.from(statementsForNonMember(story.found, paired('mobile')), (one) => {
      expect(one.about).toBe(story.repoId('mobile'))
      expect(maySendStatement(story.found, paired('mobile'), one)).toBe(true)
      return one.kind
    })
    expect(kinds).toEqual(['claim', 'release', 'confirmation'])
    expect([...statementsForNonMember(story.found, paired('stranger'))]).toEqual([])
  })

  test('is shown to one that lost the repo of its name to a rival, until that is settled', () => {
    const story = closed(['backend', 'mobile'])
    const rival = new Author('rival')
    const claim = rival.claim(story.projectId, 'mobile', at(9))
    story.say(claim)
    const known: Viewer = { ...paired('mobile'), pinned: { key: rival.key, invitedTo: [] } }
    expect(maySee(story.found, known)).toBe(true)
    story.say(
      story.authors.backend.settle(story.founding, at(21), {
        repo: story.repoId('mobile'),
        ended: [[claim, null]],
      }),
    )
    expect(maySee(story.found, known)).toBe(false)
  })

  test('is shown to a key that was invited, until it has used the invitation', () => {
    const story = closed(['backend', 'frontend'])
    const invitation = { project_id: story.projectId, repo_name: 'frontend', at: at(30) }
    story.releases('frontend', at(20))
    const invited = paired('frontend', [invitation])
    expect(maySee(story.found, invited)).toBe(true)
    story.joins('frontend', at(40))
    expect(maySee(story.found, invited)).toBe(true)
    story.releases('frontend', at(50))
    expect(maySee(story.found, invited)).toBe(false)
  })

  test('is not shown to one whose claim nobody confirmed, unless it was expected', () => {
    const story = closed(['backend'])
    const stranger = new Author('stranger')
    story.say(stranger.claim(story.projectId, 'docs', at(9)))
    expect(maySee(story.found, { ...paired('stranger'), repoName: 'docs' })).toBe(false)
    expect(maySee(story.found, paired('stranger'))).toBe(false)
    const invitation = { project_id: story.projectId, repo_name: 'docs', at: at(8) }
    expect(maySee(story.found, paired('stranger', [invitation]))).toBe(true)
    story.joins('mobile', at(5), { isConfirmed: false })
    expect(maySee(story.found, paired('mobile'))).toBe(true)
  })

  test('is not shown to one that was expelled, though it dated its claim before the invitation', () => {
    const story = closed(['backend', 'mobile'])
    const invitation = { project_id: story.projectId, repo_name: 'mobile', at: at(20) }
    const { backend } = story.authors
    const invited = paired('mobile', [invitation])
    expect(maySee(story.found, invited)).toBe(true)
    story.say(backend.settle(story.founding, at(21), { repo: story.repoId('mobile') }))
    expect(maySee(story.found, invited)).toBe(false)
    expect(maySee(story.found, paired('mobile', [{ ...invitation, at: at(22) }]))).toBe(true)
  })

  test('is not shown to one that was expelled and then claims the repo that it was expected for', () => {
    const story = closed(['backend'])
    const { backend, mobile } = story.authors
    const other = story.say(mobile.claim(story.projectId, 'docs', at(5)))
    story.say(backend.settle(story.founding, at(6), { repo: other.about }))
    story.joins('mobile', at(7), { isConfirmed: false })
    expect(maySee(story.found, paired('mobile'))).toBe(false)
  })
})
