import { describe, expect, test } from 'vitest'
import type { Decision } from '../../../src/domain/change.ts'
import { CacpdExchange, type CacpdExchangeDeps } from '../../../src/engine/replicate/cacpd-exchange.ts'
import { Conversation } from '../../../src/engine/replicate/conversation.ts'
import { REPLICATION_RULES } from '../../../src/engine/replicate/rules.ts'
import { Fault } from '../../../src/protocol/fault.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'

const PEER_ID = 'aid://example.com/frontend@1.0.0'

/** With a peer that had our changes up to 12 when we last wrote that down, and says now how many it has. */
function exchange({ received, commitFails = false }: { received: number; commitFails?: boolean }) {
  const peer = { agent_id: PEER_ID, repo_name: 'frontend-app', trust: 'approved' }
  const view = {
    peers: new Map([[PEER_ID, peer]]),
    links: new Map([[PEER_ID, { agent_id: PEER_ID, acked_seq: 12, aside: [], checkpoints: [] }]]),
  }
  const saved: number[] = []
  const made = new CacpdExchange({
    self: { agentId: 'aid://example.com/backend@1.0.0', endpoint: '', repo: '', storeId: 's' },
    peer,
    view,
    conversation: new Conversation({
      client: {
        get: async () => '',
        post: async () => JSON.stringify([{ id: 0, result: { received, peers: [] } }]),
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
    wake: () => {},
  } as unknown as CacpdExchangeDeps)
  return { made, saved }
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
  const { made, saved } = exchange({ received: 15 })
  await made.begin()
  expect(saved).toEqual([])
  expect(made.report().acked).toBe(12)
})
