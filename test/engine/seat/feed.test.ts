import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/domain/env.ts'
import type { IssuedToken } from '../../../src/domain/trust/trust.ts'
import type { View } from '../../../src/domain/view.ts'
import { ChangeLog } from '../../../src/engine/log/change-log.ts'
import { createFeed } from '../../../src/engine/seat/feed.ts'
import { systemTimers } from '../../../src/io/system/timers.ts'
import { at, orderedTableOf } from '../../domain/builders.ts'
import { BACKEND, type Desk, FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'

let desk: Desk
let projectId: string
beforeAll(async () => {
  desk = await openDesk()
  ;({ projectId } = await openFeature(desk))
})
afterAll(() => desk[Symbol.asyncDispose]())

const operator: Caller = { kind: 'operator', agentId: BACKEND, repoName: 'backend-api' }
const guest: Caller = { kind: 'known', agentId: FRONTEND, repoName: null }

/** Everything that is durable now, for readers whose token is good until second 100. */
function feedAt({ readersAtOnce = 4, now = () => at(0) } = {}) {
  const token: IssuedToken = {
    token_id: 't1',
    project_id: projectId,
    subject: FRONTEND,
    permissions: ['project:read'],
    issued_at: at(1),
    expires_at: at(100),
    revoked_at: null,
  }
  const tokens = orderedTableOf([token], { id: (one) => one.token_id, created: (one) => one.issued_at })
  const { projects } = desk.store.view
  const view = { projects, tokens } as unknown as View
  return createFeed({
    store: { id: 'desk', view, commit: (decide) => desk.store.commit(decide) },
    log: new ChangeLog(desk.store.statements()),
    timers: systemTimers,
    clock: { now },
    rules: { readersAtOnce, recheckMillis: 1 },
  })
}

describe('following the feed', () => {
  test('ends when the token of the reader has expired, be it that nothing changes', async () => {
    let second = 99
    const feed = feedAt({ now: () => at(second) })
    const grant = { projectId, permissions: new Set(['project:read'] as const) }
    const bearer: Caller = { kind: 'token', agentId: FRONTEND, repoName: null, grant, credential: 't1' }
    const { batches } = feed.follow({ since: 'desk.0' }, bearer, new AbortController().signal)
    let told = 0
    for await (const events of batches) {
      told += events.length
      second = 100
    }
    expect(told).toBeGreaterThan(0)
  })

  test('has no more places than it has, also for readers that come at the same moment', async () => {
    const feed = feedAt({ readersAtOnce: 2 })
    const left = new AbortController()
    feed.follow({}, operator, left.signal)
    feed.follow({}, operator, new AbortController().signal)
    expect(() => feed.follow({}, operator, new AbortController().signal)).toThrow(/places are taken/)
    left.abort()
    feed.follow({}, operator, new AbortController().signal)
  })

  test('keeps half of its places for those who are at home', () => {
    const feed = feedAt({ readersAtOnce: 4 })
    const follow = (caller: Caller) => feed.follow({}, caller, new AbortController().signal)
    follow(guest)
    follow(guest)
    expect(() => follow(guest)).toThrow(/places are taken/)
    follow(operator)
    follow(operator)
    expect(() => follow(operator)).toThrow(/places are taken/)
  })

  test('tells everybody of a change by the same value, which is made once', async () => {
    const feed = feedAt()
    const first = async () => {
      const { batches } = feed.follow({ since: 'desk.0' }, operator, new AbortController().signal)
      for await (const [event] of batches) return event
      return undefined
    }
    const event = await first()
    expect(event).toBeDefined()
    expect((await first())?.value).toBe(event?.value)
  })
})
