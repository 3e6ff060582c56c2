import { describe, expect, test } from 'vitest'
import { knownRevision, lastEvent } from '../../../src/domain/contract/latest-event.ts'
import { at } from '../builders.ts'
import { agreed, implemented, type Name, negotiating, proposed, type Told, verified } from '../story.ts'

/** The story goes on. */
const then = (told: Told, go: (told: Told) => unknown): Told => {
  go(told)
  return told
}

const updated = () =>
  then(negotiating(), ({ story, revision }) => story.revises('backend', revision, at(20), { path: '/v2/me' }))
/** Two daemons changed version 1 without knowing of each other. */
const conflicting = () =>
  then(negotiating(), ({ story, revision }) => {
    story.revises('backend', revision, at(21), { path: '/a' })
    story.revises('frontend', revision, at(20), { path: '/b' })
  })

describe('the last thing that happened to a contract', () => {
  test.each<{
    what: string
    tell: () => Told
    deed: string
    by: Name
    before: string | undefined
    now: string
  }>([
    {
      what: 'proposed',
      tell: proposed,
      deed: 'proposed',
      by: 'backend',
      before: undefined,
      now: 'proposed',
    },
    {
      what: 'objected to',
      tell: negotiating,
      deed: 'changes requested',
      by: 'frontend',
      before: 'proposed',
      now: 'negotiating',
    },
    {
      what: 'rejected',
      tell: () =>
        then(proposed(), ({ story, revision }) => story.answers('frontend', revision, 'reject', at(11))),
      deed: 'rejected',
      by: 'frontend',
      before: 'proposed',
      now: 'negotiating',
    },
    {
      what: 'changed',
      tell: updated,
      deed: 'changed',
      by: 'backend',
      before: 'negotiating',
      now: 'proposed',
    },
    { what: 'agreed', tell: agreed, deed: 'agreed', by: 'frontend', before: 'proposed', now: 'agreed' },
    {
      what: 'agreed after all',
      tell: () =>
        then(negotiating(), ({ story, revision }) => story.answers('frontend', revision, 'agree', at(12))),
      deed: 'agreed',
      by: 'frontend',
      before: 'negotiating',
      now: 'agreed',
    },
    {
      what: 'started',
      tell: () =>
        then(agreed(), ({ story, revision }) => story.works('backend', revision, 'in_progress', at(12))),
      deed: 'implementation in progress',
      by: 'backend',
      before: 'agreed',
      now: 'agreed',
    },
    {
      what: 'completed by all',
      tell: implemented,
      deed: 'implementation complete',
      by: 'frontend',
      before: 'agreed',
      now: 'implemented',
    },
    {
      what: 'completed by one',
      tell: () =>
        then(agreed(), ({ story, revision }) => story.works('backend', revision, 'complete', at(12))),
      deed: 'implementation complete',
      by: 'backend',
      before: 'agreed',
      now: 'agreed',
    },
    {
      what: 'verified',
      tell: verified,
      deed: 'verification: success',
      by: 'frontend',
      before: 'implemented',
      now: 'verified',
    },
    {
      what: 'found not to work',
      tell: () =>
        then(implemented(), ({ story, revision }) => story.verifies('frontend', revision, 'failure', at(15))),
      deed: 'verification: failure',
      by: 'frontend',
      before: 'implemented',
      now: 'agreed',
    },
    {
      what: 'opened again',
      tell: () =>
        then(implemented(), ({ story, revision }) =>
          story.answers('frontend', revision, 'request_change', at(15)),
        ),
      deed: 'changes requested',
      by: 'frontend',
      before: 'implemented',
      now: 'negotiating',
    },
    {
      what: 'changed while it is in force',
      tell: () => then(verified(), ({ story, revision }) => story.revises('frontend', revision, at(15))),
      deed: 'changed',
      by: 'frontend',
      before: 'verified',
      now: 'proposed',
    },
    {
      what: 'changed on both sides',
      tell: conflicting,
      deed: 'changed',
      by: 'backend',
      before: 'proposed',
      now: 'proposed',
    },
  ])('$what: $before → $now', ({ tell, deed, by, before, now }) => {
    const { contract, story } = tell()
    const event = lastEvent(contract)
    expect({
      deed: event.did,
      by: event.value.repo_id,
      before: contract.before?.status,
      now: contract.status,
    }).toEqual({ deed, by: story.repoId(by), before, now })
  })

  test('carries what its author wrote', () => {
    expect(lastEvent(negotiating().contract).note).toBe('I request_change')
  })

  test('is told as it was when it was not yet there, however many looked at it before', () => {
    const { story, revision, contract } = proposed()
    story.answers('frontend', revision, 'agree', at(11))
    expect([contract.status, story.contract(revision).before?.status]).toEqual(['proposed', 'proposed'])
  })
})

describe('what a repo knows of a contract', () => {
  test.each<{ what: string; tell: () => Told; repo: Name | undefined; version: number | undefined }>([
    { what: 'nothing of a new one', tell: proposed, repo: 'frontend', version: undefined },
    { what: 'what it proposed', tell: updated, repo: 'backend', version: 2 },
    { what: 'what it answered', tell: updated, repo: 'frontend', version: 1 },
    { what: 'as somebody else, what the head was made from', tell: updated, repo: undefined, version: 1 },
  ])('is $what', ({ tell, repo, version }) => {
    const { contract, story } = tell()
    expect(knownRevision(contract, repo && story.repoId(repo))?.version).toBe(version)
  })
})
