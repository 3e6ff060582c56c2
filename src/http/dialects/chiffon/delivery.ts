import { endMessages } from '../../../dialects/chiffon/ends.ts'
import { taskOf, threadOfRun } from '../../../dialects/chiffon/to-run.ts'
import type { Caller } from '../../../domain/env.ts'
import type { Clock, PeerClient, Store, Timers } from '../../../engine/ports/ports.ts'
import type { Runs } from '../../../methods/runs/service.ts'
import { CHIFFON_PATH, wrap } from '../../../protocol/chiffon/envelope.ts'
import type { Run } from '../../../protocol/run/run.ts'

export interface DeliveryDeps {
  readonly agentId: string
  readonly runs: Runs
  readonly store: Store
  readonly client: Pick<PeerClient, 'post'>
  readonly clock: Clock
  readonly timers: Timers
  /** The waits before each attempt. */
  readonly retryMillis: readonly number[]
  readonly callMillis: number
}

/** Sends the end of a run to the daemon of the peer that asked for it, when that peer does not follow the run. */
export function createDeliveries(deps: DeliveryDeps) {
  const { agentId: ownId, runs, store, client, clock, timers, retryMillis, callMillis } = deps
  const underWay = new Set<string>()

  async function deliver({ run_id, request }: Run, caller: Caller): Promise<void> {
    for await (const _ of runs.follow(run_id, caller));
    const result = await runs.result(run_id, caller)
    // An interruption is not sent: a caller that asks again has the work done.
    if (result.failure?.kind === 'interrupted') return
    for (const message of endMessages(result, { task_id: taskOf(request), agentId: ownId })) {
      const parts = { ...threadOfRun(request), message_id: clock.newId(), timestamp: clock.now() }
      await post(JSON.stringify(wrap(message, parts)), caller.agentId)
    }
  }

  async function post(body: string, agentId: string): Promise<void> {
    let failure: unknown
    for (const millis of retryMillis) {
      await new Promise<void>((resolve) => timers.after(millis, resolve))
      const peer = store.view.peers.get(agentId)
      if (peer?.trust !== 'approved') return
      try {
        await client.post(`${peer.endpoint}${CHIFFON_PATH}`, body, callMillis, agentId)
        return
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  return {
    /** Only peers have an address to send it to; other callers ask again. */
    watch(run: Run, caller: Caller): void {
      if (caller.kind !== 'peer' || underWay.has(run.run_id)) return
      underWay.add(run.run_id)
      deliver(run, caller)
        // The asker can still ask again, so nothing is lost when it cannot be reached.
        .catch(() => {})
        .finally(() => underWay.delete(run.run_id))
    },
  }
}
