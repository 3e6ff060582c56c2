import { expect, test } from 'vitest'
import type { Peer } from '../../../src/domain/model.ts'
import type { ReplicatorDeps } from '../../../src/engine/replicate/replicator.ts'
import { createReplicator } from '../../../src/engine/replicate/replicator.ts'
import { REPLICATION_RULES } from '../../../src/engine/replicate/rules.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'
import { VirtualTime } from '../../support/simulated/virtual-time.ts'

const peerNamed = (agent_id: string): Peer => ({
  agent_id,
  endpoint: 'http://frontend.test',
  repo_name: 'frontend-app',
  trust: 'approved',
  registered_at: stampOfMillis(0),
  last_seen: stampOfMillis(0),
})

test('a peer that turns out to go by another name while all links stop gets no link that nobody stops', async () => {
  const running = new Set<string>()
  const createLink = ({ agent_id }: Peer) => {
    running.add(agent_id)
    const stop = async () => {
      // What its card said is on disk only now, and the peer is met by the name in it.
      replicator.meet(peerNamed('aid://example.com/frontend@1.0.0'))
      running.delete(agent_id)
    }
    return { stop } as ReturnType<ReplicatorDeps['createLink']>
  }
  const replicator = createReplicator({
    view: {
      peers: { oldestFirst: () => [peerNamed('agent-frontend-app')] },
    } as unknown as ReplicatorDeps['view'],
    timers: new VirtualTime(),
    random: () => 0,
    rules: REPLICATION_RULES,
    createLink,
  })
  expect(running.size).toBe(1)
  await replicator[Symbol.asyncDispose]()
  expect([...running]).toEqual([])
})
