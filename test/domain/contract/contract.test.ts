import { describe, expect, test } from 'vitest'
import { isPartyOf, mayAnswer } from '../../../src/domain/contract/contract.ts'
import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { ContractStatus, VerificationResult } from '../../../src/protocol/words.ts'
import { at } from '../builders.ts'
import { agreed, implemented, type Name, proposed, Story, type Told } from '../story.ts'

/** What is done with a contract, and what it then is, whichever side of a partition it was done on. */

const statuses = ({ contract, story }: Told) =>
  Object.fromEntries(
    contract.works.map(({ repo_id, status }) => [story.found.repos.get(repo_id)?.name, status]),
  )

describe('a party of a version', () => {
  const story = new Story({ named: ['backend', 'frontend', 'mobile'] })
  const contract = (parties: readonly Name[]) =>
    story.contract(story.proposes('backend', at(10), { parties }))

  test('is its author and whoever has to agree to it', () => {
    const { head } = contract(['frontend'])
    expect(
      ['backend', 'frontend', 'mobile'].map((name) => isPartyOf(head, story.repoId(name as Name))),
    ).toEqual([true, true, false])
  })

  test('answers it, but for its author, who does where there is nobody else', () => {
    const others = contract(['backend', 'frontend'])
    expect([mayAnswer(others, story.repoId('frontend')), mayAnswer(others, story.repoId('backend'))]).toEqual(
      [true, false],
    )
    expect(mayAnswer(contract(['backend']), story.repoId('backend'))).toBe(true)
  })
})

describe('a negotiation', () => {
  test('keeps every answer with its author, revision and words', () => {
    const { story, revision } = proposed()
    story.answers('frontend', revision, 'reject', at(11))
    story.answers('frontend', revision, 'agree', at(12))
    const said = { repo_id: story.repoId('frontend'), revision: revision.id, version: 1 }
    expect(story.contract(revision).history.answers).toMatchObject([
      { ...said, action: 'reject', comment: 'I reject', timestamp: at(11) },
      { ...said, action: 'agree', comment: 'I agree', timestamp: at(12) },
    ])
  })

  test('of which an objection comes late leaves what was agreed in force', () => {
    const told = agreed()
    told.story.answers('frontend', told.revision, 'request_change', at(11, 1))
    expect(told.contract).toMatchObject({ status: 'negotiating', in_force: { status: 'agreed' } })
  })
})

describe('work', () => {
  test('makes a contract implemented when the last of its parties completes, not before', () => {
    const told = agreed()
    told.story.works('backend', told.revision, 'complete', at(12))
    expect(told.contract.status).toBe('agreed')
    told.story.works('frontend', told.revision, 'complete', at(13))
    expect(told.contract.status).toBe('implemented')
  })

  test('on an earlier version stays as history and does not implement a later one', () => {
    const { story, revision } = implemented()
    const next = story.revises('backend', revision, at(20))
    story.answers('frontend', next, 'agree', at(21))
    expect(story.contract(next)).toMatchObject({ status: 'agreed', works: [] })
    expect(story.contract(next).history.works).toHaveLength(2)
  })

  test.each<[VerificationResult, ContractStatus]>([
    ['success', 'verified'],
    ['failure', 'agreed'],
    ['partial', 'implemented'],
  ])('verified with %s leaves the contract %s', (result, status) => {
    const told = implemented()
    told.story.verifies('frontend', told.revision, result, at(20))
    expect(told.contract.status).toBe(status)
  })
})

describe('a failed verification', () => {
  test('sends back every implementation that it looked at', () => {
    const told = implemented()
    told.story.verifies('frontend', told.revision, 'failure', at(20))
    expect(statuses(told)).toEqual({ backend: 'needs_revision', frontend: 'needs_revision' })
  })

  test('judges only what it saw: work done meanwhile elsewhere is not sent back', () => {
    const told = implemented()
    const { story, revision } = told
    const judged = told.contract.works.map(({ repo_id, id }) => ({ repo_id, work: id }))
    story.works('backend', revision, 'complete', at(14))
    story.say(
      story.authors.frontend.verify(story.claims.frontend as Statement, revision, {
        at: at(20),
        result: 'failure',
        judged,
      }),
    )
    expect(statuses(told)).toEqual({ backend: 'complete', frontend: 'needs_revision' })
    expect(told.contract.status).toBe('agreed')
  })

  test('is overcome when all that it judged was done again', () => {
    const told = implemented()
    told.story.verifies('frontend', told.revision, 'failure', at(20))
    for (const name of ['backend', 'frontend'] as const)
      told.story.works(name, told.revision, 'complete', at(21))
    expect(told.contract.status).toBe('implemented')
  })

  test('is not overruled by a success that somebody found meanwhile on the same work', () => {
    const told = implemented()
    told.story.verifies('frontend', told.revision, 'failure', at(20))
    told.story.verifies('backend', told.revision, 'success', at(21))
    expect(told.contract.status).toBe('agreed')
  })
})

describe('a successful verification', () => {
  test('of older work does not verify newer work', () => {
    const told = implemented()
    told.story.verifies('frontend', told.revision, 'success', at(20))
    told.story.works('backend', told.revision, 'complete', at(21))
    expect(told.contract.status).toBe('implemented')
  })

  test('counts only while it is the newest one', () => {
    const told = implemented()
    told.story.verifies('frontend', told.revision, 'success', at(20))
    told.story.verifies('backend', told.revision, 'partial', at(21))
    expect(told.contract.status).toBe('implemented')
  })
})

describe('a long history', () => {
  /** One hundred answers, and a version between. */
  function long() {
    const { story, revision } = proposed()
    const said = Array.from({ length: 100 }, (_, n) =>
      story.answers('frontend', revision, 'request_change', at(20 + n)),
    )
    const next = story.revises('backend', revision, at(70, 1))
    return { contract: () => story.contract(revision), said, next, story, revision }
  }

  test('is shown from its end, with how much there is before it', () => {
    const { contract, said } = long()
    const recent = contract().recent(10)
    expect(recent.answers.map(({ id }) => id)).toEqual(said.slice(-10).map(({ id }) => id))
    expect(recent).toMatchObject({ revisions: [], earlier: 92, since: said[90]?.id })
  })

  test('is read piece by piece without a gap, and nothing twice', () => {
    const { contract } = long()
    const pieces: string[] = []
    let before: string | undefined
    do {
      const { answers, revisions, since } = contract().recent(7, before)
      pieces.push(...[...answers, ...revisions].map(({ id }) => id))
      before = since
    } while (before !== undefined)
    const { answers, revisions } = contract().history
    expect(pieces.sort()).toEqual([...answers, ...revisions].map(({ id }) => id).sort())
  })

  test('is as long as before after it was looked at, whatever comes between', () => {
    const { contract, story, revision } = long()
    contract().recent(5)
    const late = story.answers('frontend', revision, 'agree', at(19))
    const last = story.answers('frontend', revision, 'agree', at(200))
    expect(
      contract()
        .recent(1)
        .answers.map(({ id }) => id),
    ).toEqual([last.id])
    expect(contract().history.answers[0]?.id).toBe(late.id)
  })
})
