import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import type { Peer } from '../../../src/domain/model.ts'
import { isShutOut } from '../../../src/domain/peers/refused-by-peer.ts'
import type { IssuedToken, UiSession } from '../../../src/domain/trust/trust.ts'
import { endOf, personOf } from '../../../src/domain/trust/ui-session.ts'
import type { View } from '../../../src/domain/view.ts'
import type { Stamp } from '../../../src/protocol/stamp.ts'
import { at, EMPTY_VIEW, orderedTableOf } from '../builders.ts'

const PEER = 'aid://localhost/other@1.0.0'

const viewWith = (trust: Peer['trust']): View => ({
  ...EMPTY_VIEW,
  peers: orderedTableOf(
    [
      {
        agent_id: PEER,
        endpoint: 'http://127.0.0.1:8081',
        repo_name: 'other',
        trust,
        registered_at: at(1),
        last_seen: at(1),
      },
    ],
    { id: (one) => one.agent_id, created: (one) => one.registered_at },
  ),
})

const caller = (given: Partial<Caller>): Caller => ({
  kind: 'peer',
  agentId: PEER,
  repoName: 'other',
  ...given,
})

describe.each([
  ['a peer that showed its key', { credential: '0123abcd' }],
  ['a peer that needed none, or that something is fetched from', {}],
])('%s', (_, given) => {
  test.each([
    ['approved', false],
    ['pending', true],
    ['revoked', true],
  ] as const)('and is %s meanwhile', (trust, isOut) => {
    expect(isShutOut(caller(given), viewWith(trust))).toBe(isOut)
  })
})

test('an orchestrator whose token is in the configuration need be no peer, unless it was revoked as one', () => {
  const orchestrator = caller({ credential: '0123abcd', isConfigured: true })
  expect(isShutOut(orchestrator, EMPTY_VIEW)).toBe(false)
  expect(isShutOut(orchestrator, viewWith('pending'))).toBe(false)
  expect(isShutOut(orchestrator, viewWith('revoked'))).toBe(true)
})

test('whoever stays with a key that is no more, or has retired, is shut out', () => {
  const key = (retires_at: Stamp | null) => ({ hash: 'k', agent_id: PEER, created_at: at(1), retires_at })
  const viewOfKey = (retires_at: Stamp | null): View => ({
    ...viewWith('approved'),
    keys: orderedTableOf([key(retires_at)], { id: (one) => one.hash, created: (one) => one.created_at }),
  })
  const withKey = caller({ credential: '0123abcd', keyId: 'k' })
  expect(isShutOut(withKey, viewOfKey(null), at(5))).toBe(false)
  expect(isShutOut(withKey, viewOfKey(at(9)), at(5))).toBe(false)
  expect(isShutOut(withKey, viewOfKey(at(5)), at(5))).toBe(true)
  expect(isShutOut(withKey, viewWith('approved'), at(5))).toBe(true)
  expect(isShutOut(withKey, viewWith('approved'))).toBe(false)
})

test('a key of somebody who was removed meanwhile opens nothing', () => {
  expect(isShutOut(caller({ credential: '0123abcd' }), EMPTY_VIEW)).toBe(true)
})

test.each([
  ['was revoked', at(2), true],
  ['was not', null, false],
])('a token that %s meanwhile', (_, revoked_at, isOut) => {
  const token: IssuedToken = {
    token_id: 't1',
    project_id: 'p1',
    subject: PEER,
    permissions: ['project:read'],
    issued_at: at(1),
    expires_at: at(100),
    revoked_at,
  }
  const tokens = orderedTableOf([token], { id: (one) => one.token_id, created: (one) => one.issued_at })
  const bearer = caller({ kind: 'token', credential: 't1' })
  expect(isShutOut(bearer, { ...EMPTY_VIEW, tokens })).toBe(isOut)
  expect(isShutOut(bearer, EMPTY_VIEW)).toBe(true)
  expect(isShutOut(bearer, { ...EMPTY_VIEW, tokens }, at(99))).toBe(isOut)
  expect(isShutOut(bearer, { ...EMPTY_VIEW, tokens }, at(100))).toBe(true)
})

test('a person is shut out when the session is ended, and a long request when its time is over', () => {
  const session: UiSession = {
    session_id: '1f3a5c7d',
    hash: '1f3a5c7d',
    created_at: at(0),
    used_at: at(0),
    user_agent: '',
    key_hash: '',
  }
  const person = personOf(session, { agentId: 'aid://a/b@1.0.0', repo: 'b' })
  const sessions = orderedTableOf([session], { id: (one) => one.session_id, created: () => '' })
  const view = { ...EMPTY_VIEW, sessions }
  expect([isShutOut(person, view), isShutOut(person, EMPTY_VIEW)]).toEqual([false, true])
  expect([isShutOut(person, view, at(1)), isShutOut(person, view, endOf(session))]).toEqual([false, true])
})
