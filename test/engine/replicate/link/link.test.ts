import { describe, expect, test } from 'vitest'
import type { Peer } from '../../../../src/domain/model.ts'
import type { Exchange } from '../../../../src/engine/replicate/link/exchange.ts'
import { createLink } from '../../../../src/engine/replicate/link/link.ts'
import { REPLICATION_RULES } from '../../../../src/engine/replicate/rules.ts'
import { Fault } from '../../../../src/protocol/fault.ts'
import { stampOfMillis } from '../../../../src/protocol/stamp.ts'
import { VirtualTime } from '../../../support/simulated/virtual-time.ts'

const PEER: Peer = {
  agent_id: 'aid://example.com/frontend@1.0.0',
  endpoint: 'http://frontend.test',
  repo_name: 'frontend-app',
  trust: 'approved',
  registered_at: stampOfMillis(0),
  last_seen: stampOfMillis(0),
}

/** A link to a peer through exchanges that do as told and note what was asked; it is reached as long as `get` says so. */
function linked(exchange: Partial<Exchange>, get: (url: string) => void = () => {}) {
  const time = new VirtualTime()
  const asked: string[] = []
  const noting = (what: 'begin' | 'push' | 'repair' | 'end') => () => {
    asked.push(what)
    return exchange[what]?.() ?? Promise.resolve()
  }
  const link = createLink(
    {
      client: {
        get: async (url) => {
          get(url)
          return '{"protocols":{"cacp":"2.0"}}'
        },
        post: async () => '',
      },
      clock: { now: () => stampOfMillis(time.now), newId: () => 'id', newNonce: () => 'A'.repeat(22) },
      timers: time,
      random: () => 0,
      rules: REPLICATION_RULES,
      doubtIdentity: async () => undefined,
      readByCard: async (peer) => peer,
      noteAbout: async () => {},
      createExchange: () => ({
        begin: noting('begin'),
        push: noting('push'),
        repair: noting('repair'),
        end: noting('end'),
        report: () => ({ behind: 0, aside: [], clockSkewSeconds: null }),
      }),
    },
    PEER,
  )
  return { link, time, asked }
}

const fails = () => Promise.reject(new Fault('unavailable', 'cannot compare'))

describe('while states are compared', () => {
  test('what is new goes out at once', async () => {
    const { link, time, asked } = linked({ repair: () => new Promise(() => {}) })
    await time.settle()
    const before = asked.length
    expect(asked).toContain('repair')
    link.wake()
    await time.settle()
    expect(asked.slice(before)).toEqual(['push'])
  })

  test('no second comparison starts, and one that is due starts afterwards', async () => {
    const ends: (() => void)[] = []
    const { link, time, asked } = linked({ repair: () => new Promise((resolve) => ends.push(resolve)) })
    await time.settle()
    link.repairSoon()
    await time.settle()
    expect(asked.filter((what) => what === 'repair')).toHaveLength(1)
    ends[0]?.()
    await time.settle()
    expect(asked.filter((what) => what === 'repair')).toHaveLength(2)
  })

  test('stopping ends the exchange, and waits for the comparison', async () => {
    let fail = (_: Fault): void => {}
    const { link, time, asked } = linked({
      repair: () =>
        new Promise((_, reject) => {
          fail = reject
        }),
    })
    await time.settle()
    let isStopped = false
    const stopped = link.stop().then(() => {
      isStopped = true
    })
    await time.settle()
    expect(asked.at(-1)).toBe('end')
    expect(isStopped).toBe(false)
    fail(new Fault('unavailable', 'ended'))
    await stopped
    expect(isStopped).toBe(true)
  })
})

describe('a comparison that fails', () => {
  test('counts as a failure of the peer, however well pushing goes', async () => {
    const { link, time, asked } = linked({ repair: fails })
    await time.settle()
    await time.advance(20_000)
    expect(link.report()).toMatchObject({ health: 'paused', failures: 5, lastError: 'cannot compare' })
    expect(asked.filter((what) => what === 'begin')).toHaveLength(5)
  })

  test('is followed by a new exchange, and forgotten when that goes well', async () => {
    let tries = 0
    const { link, time, asked } = linked({ repair: () => (++tries === 1 ? fails() : Promise.resolve()) })
    await time.settle()
    await time.advance(100)
    expect(asked.filter((what) => what !== 'push')).toEqual(['begin', 'repair', 'end', 'begin', 'repair'])
    expect(link.report()).toMatchObject({ health: 'healthy', failures: 0, lastError: null })
  })
})

describe('a peer that was away for long', () => {
  test('is asked for its health after each pause, and for nothing else before it is well', async () => {
    const got: string[] = []
    let isAway = true
    const { link, time, asked } = linked({}, (url) => {
      got.push(url.slice(PEER.endpoint.length))
      if (isAway) throw new Fault('unavailable', 'nobody is there')
    })
    await time.settle()
    await time.advance(7000)
    expect(link.report()).toMatchObject({ health: 'paused', failures: 5 })
    expect(got).toEqual(Array(5).fill('/.well-known/agent.json'))

    await time.advance(60_000)
    expect(got.slice(5)).toEqual(['/health'])
    expect(link.report()).toMatchObject({ health: 'paused', failures: 6 })

    isAway = false
    await time.advance(60_000)
    expect(got.slice(6)).toEqual(['/health', '/.well-known/agent.json'])
    expect(asked.slice(0, 2)).toEqual(['begin', 'push'])
    expect(link.report()).toMatchObject({ health: 'healthy', failures: 0 })
  })
})
