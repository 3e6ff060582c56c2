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
export class Deliveries {
  readonly #deps: DeliveryDeps
  readonly #underWay = new Set<string>()

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** Only peers have an address to send it to; other callers ask again. */
  watch(run: Run, caller: Caller): void {
    if (caller.kind !== 'peer' || this.#underWay.has(run.run_id)) return
    this.#underWay.add(run.run_id)
    this.#deliver(run, caller)
      // The asker can still ask again, so nothing is lost when it cannot be reached.
      .catch(() => {})
      .finally(() => this.#underWay.delete(run.run_id))
  }

  async #deliver({ run_id, request }: Run, caller: Caller): Promise<void> {
    const { runs, clock, agentId } = this.#deps
    for await (const _ of runs.follow(run_id, caller));
    const result = await runs.result(run_id, caller)
    // An interruption is not sent: a caller that asks again has the work done.
    if (result.failure?.kind === 'interrupted') return
    for (const message of endMessages(result, { task_id: taskOf(request), agentId })) {
      const parts = { ...threadOfRun(request), message_id: clock.newId(), timestamp: clock.now() }
      await this.#post(JSON.stringify(wrap(message, parts)), caller.agentId)
    }
  }

  async #post(body: string, agentId: string): Promise<void> {
    const { store, client, retryMillis, callMillis } = this.#deps
    let failure: unknown
    for (const millis of retryMillis) {
      await this.#wait(millis)
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

  #wait(millis: number): Promise<void> {
    return new Promise((resolve) => this.#deps.timers.after(millis, resolve))
  }
}
