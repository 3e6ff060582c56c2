import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/change.ts'
import type { LinkState } from '../../../src/domain/model.ts'
import { CacpdExchange, type CacpdExchangeDeps } from '../../../src/engine/replicate/cacpd-exchange.ts'
import { Clocks } from '../../../src/engine/replicate/clocks.ts'
import { Conversation } from '../../../src/engine/replicate/conversation.ts'
import { Lives } from '../../../src/engine/replicate/lives.ts'
import { REPLICATION_RULES } from '../../../src/engine/replicate/rules.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'

const PEER_ID = 'aid://example.com/frontend@1.0.0'
const ENDPOINT = 'http://backend.test'
const LINK: LinkState = {
  agent_id: PEER_ID,
  acked_seq: 12,
  aside: [],
  noted: 5,
  beside: 3,
  repo_name: 'frontend-app',
  told_endpoint: ENDPOINT,
}

interface Given {
  /** What the peer says that it has. */
  received: number
  /** How often it noted something. */
  count?: number
  repoName?: string
  endpoint?: string
  commitFails?: boolean
}

/** With a peer that had our changes up to 12, and noted that for the fifth time, when we last wrote that down. */
function exchange(given: Given) {
  const { received, count = 5, repoName = 'frontend-app', endpoint = ENDPOINT, commitFails = false } = given
  const peer = { agent_id: PEER_ID, repo_name: repoName, trust: 'approved' }
  const registered: string[] = []
  const self = { agentId: 'aid://example.com/backend@1.0.0', endpoint, repo: '', storeId: 's' }
  const view = {
    peers: new Map([[PEER_ID, peer]]),
    links: new Map([[PEER_ID, LINK]]),
  }
  const saved: number[] = []
  const made = new CacpdExchange({
    self,
    peer,
    view,
    conversation: new Conversation({
      client: {
        get: async () => '',
        post: async (url: string, body: string) => {
          if (url.endsWith('/peers/register')) registered.push(body)
          return JSON.stringify([{ id: 0, result: { received, count, peers: [{ agentId: self.agentId }] } }])
        },
      },
      endpoint: 'http://frontend.test',
      agentId: PEER_ID,
      millis: 1000,
    }),
    log: { seq: 12, countAfter: () => 0 },
    store: {
      commit: async (decide: (given: typeof view) => Decision<unknown>) => {
        if (commitFails) throw new Fault('storage_full', 'The disk took no more data')
        for (const change of decide(view).local ?? [])
          if (change.table === 'link' && change.value !== null) saved.push(change.value.acked_seq)
      },
    },
    clock: { now: () => stampOfMillis(0), newId: () => 'id' },
    timers: { after: () => () => {} },
    rules: REPLICATION_RULES,
    life: 'l',
    clocks: new Clocks(),
    lives: new Lives({ now: () => stampOfMillis(0), millis: 1000 }),
    wake: () => {},
  } as unknown as CacpdExchangeDeps)
  return { made, saved, registered }
}

describe('a peer that has less of ours than it had, as after a backup was restored,', () => {
  test('gets nothing before it is on disk that we go back', async () => {
    const { made, saved } = exchange({ received: 6 })
    await made.begin()
    expect(saved).toEqual([6])
    expect(made.report().acked).toBe(6)
  })

  test('has to wait while our disk is full', async () => {
    const { made } = exchange({ received: 6, commitFails: true })
    await expect(made.begin()).rejects.toThrow('The disk took no more data')
  })
})

test('a peer that has all that we remember costs no write', async () => {
  const { made, saved } = exchange({ received: 15, count: 8 })
  await made.begin()
  expect(saved).toEqual([])
  expect(made.report().acked).toBe(12)
})

describe('a peer that noted less often than we know of', () => {
  test('goes on from its mark, if that tells of all that it took since', async () => {
    const { made, saved } = exchange({ received: 10, count: 4 })
    await made.begin()
    expect(saved).toEqual([10])
  })

  test('gets everything again, whatever it says that it has, if it took something beside the order since', async () => {
    const { made, saved } = exchange({ received: 12, count: 2 })
    await made.begin()
    expect(saved).toEqual([0])
    expect(made.report().acked).toBe(0)
  })
})

test('a peer that is of another repo than before is looked at from the start', async () => {
  const { made } = exchange({ received: 12, repoName: 'website' })
  await made.begin()
  expect(made.report().acked).toBe(0)
})

describe('a peer that knows us', () => {
  test('is not told again where we are', async () => {
    const { made, registered } = exchange({ received: 12 })
    await made.begin()
    expect(registered).toEqual([])
  })

  test('is told again when we have moved', async () => {
    const { made, registered } = exchange({ received: 12, endpoint: 'http://backend.test:81' })
    await made.begin()
    expect(registered.map((body) => JSON.parse(body))).toEqual([
      expect.objectContaining({ endpoint: 'http://backend.test:81' }),
    ])
  })
})
