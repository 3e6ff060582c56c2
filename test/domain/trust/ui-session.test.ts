import { describe, expect, test } from 'vitest'
import type { LocalChange } from '../../../src/domain/change.ts'
import type { UiSession } from '../../../src/domain/trust/trust.ts'
import {
  beginSession,
  endingAllSessions,
  endOf,
  endSessions,
  personOf,
  sessionOf,
  sessionsIn,
  useSession,
} from '../../../src/domain/trust/ui-session.ts'
import type { View } from '../../../src/domain/view.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'
import { addMicros, type Stamp, stampOfMillis } from '../../../src/protocol/stamp.ts'
import { EMPTY_VIEW, orderedTableOf } from '../builders.ts'

const DAY = 24 * 60 * 60
const START = stampOfMillis(Date.UTC(2026, 10, 16))
const later = (seconds: number): Stamp => addMicros(START, seconds * 1_000_000)
const HALVES = { cookie: 'A'.repeat(43), token: 'B'.repeat(43) }

const viewOf = (...sessions: UiSession[]): View => ({
  ...EMPTY_VIEW,
  sessions: orderedTableOf(sessions, { id: (one) => one.session_id, created: (one) => one.created_at }),
})

const begun = (halves = HALVES, now = START, view = EMPTY_VIEW) =>
  beginSession(view, { ...halves, userAgent: 'a browser', now, keyHash: 'key' })

const sessionNow = (halves = HALVES, now = START): UiSession => begun(halves, now).result as UiSession

const removed = (local: readonly LocalChange[] = []) =>
  local.filter(({ value }) => value === null).map(({ id }) => id)

describe('a session', () => {
  test('is kept by the hash of its halves, of which neither is kept', () => {
    const session = sessionNow()
    expect(session.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(session.session_id).toBe(session.hash.slice(0, 8))
    expect(JSON.stringify(session)).not.toMatch(/A{43}|B{43}/)
  })

  test('is found by both halves, in their places', () => {
    const view = viewOf(sessionNow())
    const find = (halves: typeof HALVES) => sessionOf(halves, view, { now: START, keyHash: 'key' })
    expect(find(HALVES)).toEqual(sessionNow())
    expect(find({ cookie: HALVES.token, token: HALVES.cookie })).toBeUndefined()
    expect(find({ ...HALVES, cookie: '' })).toBeUndefined()
    expect(find({ ...HALVES, token: '' })).toBeUndefined()
  })

  test('is not found by a hash that only begins alike', () => {
    const view = viewOf({ ...sessionNow(), hash: `${sessionNow().session_id}${'0'.repeat(56)}` })
    expect(sessionOf(HALVES, view, { now: START, keyHash: 'key' })).toBeUndefined()
  })

  test.each([
    [0, 7],
    [10, 17],
    [29, 30],
  ])('used last after %i days ends after %i days', (used, end) => {
    expect(endOf({ ...sessionNow(), used_at: later(used * DAY) })).toBe(later(end * DAY))
  })

  test('is over at its end, and under another operator key', () => {
    const view = viewOf(sessionNow())
    const isFound = (now: Stamp, keyHash = 'key') => sessionOf(HALVES, view, { now, keyHash }) !== undefined
    expect([isFound(later(7 * DAY - 1)), isFound(later(7 * DAY)), isFound(START, 'other')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('keeps as much of what the browser calls itself as of a name', () => {
    const { result } = beginSession(EMPTY_VIEW, {
      ...HALVES,
      userAgent: 'x'.repeat(5000),
      now: START,
      keyHash: '',
    })
    expect(result?.user_agent).toHaveLength(LIMITS.nameLength)
  })
})

describe('beginning one', () => {
  const many = Array.from({ length: LIMITS.uiSessions }, (_, n) =>
    sessionNow({ ...HALVES, cookie: `${n}` }, later(n)),
  )

  test('makes room by ending the one that was not used for longest', () => {
    const used = many.map((one, n) => (n === 0 ? { ...one, used_at: later(1000) } : one))
    const { local } = begun(HALVES, later(2000), viewOf(...used))
    expect(removed(local)).toEqual([many[1]?.session_id])
  })

  test('removes those that are over', () => {
    const [first, second] = many as [UiSession, UiSession]
    const foreign = { ...second, key_hash: 'other' }
    const { local } = begun(HALVES, later(7 * DAY), viewOf(first, foreign))
    expect(removed(local).sort()).toEqual([first.session_id, second.session_id].sort())
  })
})

test('those that are listed are live, the one used last first', () => {
  const [one, other, over] = ['1', '2', '3'].map((cookie, n) =>
    sessionNow({ ...HALVES, cookie }, later(n)),
  ) as [UiSession, UiSession, UiSession]
  const view = viewOf(one, { ...other, used_at: later(100) }, { ...over, key_hash: 'other' })
  const listed = sessionsIn(view, { now: later(200), keyHash: 'key' })
  expect(listed.map(({ session_id }) => session_id)).toEqual([other.session_id, one.session_id])
})

test('a use is noted, and not of one that has ended meanwhile', () => {
  const session = sessionNow()
  expect(useSession(viewOf(session), session.session_id, later(5)).local).toMatchObject([
    { value: { used_at: later(5), created_at: START } },
  ])
  expect(useSession(EMPTY_VIEW, session.session_id, later(5)).local).toEqual([])
})

test('one is ended by its id, or all are; one that is not there is told', () => {
  const sessions = ['1', '2'].map((cookie) => sessionNow({ ...HALVES, cookie })) as [UiSession, UiSession]
  const view = viewOf(...sessions)
  expect(removed(endSessions(view, sessions[0].session_id).local)).toEqual([sessions[0].session_id])
  expect(removed(endSessions(view, undefined).local)).toHaveLength(2)
  expect(removed(endingAllSessions(view))).toHaveLength(2)
  expect(() => endSessions(view, 'nobody')).toThrow('there is no session nobody')
})

test('whoever has it is a person with the rights of the operator', () => {
  const session = sessionNow()
  expect(personOf(session, { agentId: 'aid://a/b@1.0.0', repo: 'b' })).toEqual({
    kind: 'operator',
    agentId: 'aid://a/b@1.0.0',
    repoName: 'b',
    credential: session.session_id,
    person: { session: session.session_id },
  })
})
