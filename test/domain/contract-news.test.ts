import { describe, expect, test } from 'vitest'
import { statusOf } from '../../src/domain/contract.ts'
import {
  authorOf,
  deedOf,
  knownRevision,
  lastEvent,
  statusBefore,
  wordsOf,
} from '../../src/domain/contract-news.ts'
import { mergeContract } from '../../src/domain/merge.ts'
import type { Contract } from '../../src/domain/model.ts'
import {
  agreed,
  answer,
  at,
  BACKEND,
  complete,
  FRONTEND,
  implemented,
  negotiating,
  proposed,
  start,
  update,
  verified,
  verify,
} from './builders.ts'

const updated = () => update(negotiating(), { path: '/v2/me' }, at(2))
/** Two daemons changed version 1 without knowing of each other. */
const conflicting = () =>
  mergeContract(update(negotiating(), { path: '/a' }, at(3)), update(negotiating(), { path: '/b' }, at(2)))
    .value

describe('the last thing that happened to a contract', () => {
  test.each<{
    what: string
    contract: Contract
    deed: string
    by: string
    before: string | undefined
    now: string
  }>([
    {
      what: 'proposed',
      contract: proposed(),
      deed: 'proposed',
      by: BACKEND,
      before: undefined,
      now: 'proposed',
    },
    {
      what: 'objected to',
      contract: negotiating(),
      deed: 'changes requested',
      by: FRONTEND,
      before: 'proposed',
      now: 'negotiating',
    },
    {
      what: 'rejected',
      contract: answer(proposed(), 'reject', at(1)),
      deed: 'rejected',
      by: FRONTEND,
      before: 'proposed',
      now: 'negotiating',
    },
    {
      what: 'changed',
      contract: updated(),
      deed: 'changed',
      by: BACKEND,
      before: 'negotiating',
      now: 'proposed',
    },
    { what: 'agreed', contract: agreed(), deed: 'agreed', by: FRONTEND, before: 'proposed', now: 'agreed' },
    {
      what: 'agreed after all',
      contract: answer(negotiating(), 'agree', at(2)),
      deed: 'agreed',
      by: FRONTEND,
      before: 'negotiating',
      now: 'agreed',
    },
    {
      what: 'started',
      contract: start(agreed(), BACKEND, at(2)),
      deed: 'implementation in progress',
      by: BACKEND,
      before: 'agreed',
      now: 'agreed',
    },
    {
      what: 'completed by all',
      contract: implemented(),
      deed: 'implementation complete',
      by: FRONTEND,
      before: 'agreed',
      now: 'implemented',
    },
    {
      what: 'completed by one',
      contract: complete(start(agreed(), BACKEND, at(2)), BACKEND, at(3)),
      deed: 'implementation complete',
      by: BACKEND,
      before: 'agreed',
      now: 'agreed',
    },
    {
      what: 'verified',
      contract: verified(),
      deed: 'verification: success',
      by: FRONTEND,
      before: 'implemented',
      now: 'verified',
    },
    {
      what: 'found not to work',
      contract: verify(implemented(), 'failure', at(5)),
      deed: 'verification: failure',
      by: FRONTEND,
      before: 'implemented',
      now: 'agreed',
    },
    {
      what: 'opened again',
      contract: answer(implemented(), 'request_change', at(5)),
      deed: 'changes requested',
      by: FRONTEND,
      before: 'implemented',
      now: 'negotiating',
    },
    {
      what: 'changed on both sides',
      contract: conflicting(),
      deed: 'changed',
      by: BACKEND,
      before: 'proposed',
      now: 'proposed',
    },
  ])('$what: $before → $now', ({ contract, deed, by, before, now }) => {
    const event = lastEvent(contract)
    expect({
      deed: deedOf(contract, event),
      by: authorOf(event).repoId,
      before: statusBefore(contract, event),
      now: statusOf(contract),
    }).toEqual({ deed, by, before, now })
  })

  test('carries what its author wrote', () => {
    expect(wordsOf(lastEvent(negotiating()))).toBe('I request_change')
    expect(wordsOf(lastEvent(updated()))).toBe('better')
    expect(wordsOf(lastEvent(start(agreed(), BACKEND, at(2))))).toBe('soon')
  })
})

describe('what a repo knows of a contract', () => {
  test.each<{ what: string; contract: Contract; repo: string | undefined; version: number | undefined }>([
    { what: 'nothing of a new one', contract: proposed(), repo: FRONTEND, version: undefined },
    { what: 'what it proposed', contract: updated(), repo: BACKEND, version: 2 },
    { what: 'what it answered', contract: updated(), repo: FRONTEND, version: 1 },
    {
      what: 'as somebody else, what the head was made from',
      contract: updated(),
      repo: undefined,
      version: 1,
    },
  ])('is $what', ({ contract, repo, version }) => {
    expect(knownRevision(contract, repo)?.version).toBe(version)
  })
})
