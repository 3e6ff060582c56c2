import type { HubStatus } from '../../../domain/hub/status.ts'
import type { HubService } from '../../../methods/services.ts'
import type { Hub } from '../../ports/hub.ts'
import type { SequencedStatement } from '../../ports/ports.ts'
import { HubLane, type HubLaneDeps } from './lane.ts'

/** The hub that is used now, if any: it can be changed while the daemon runs. */
export class HubSwitch implements HubService, AsyncDisposable {
  readonly #deps: Omit<HubLaneDeps, 'hub'>
  #lane: HubLane | undefined
  /** Changes are made one after the other. */
  #changing: Promise<void> = Promise.resolve()
  #isEnded = false

  constructor(deps: Omit<HubLaneDeps, 'hub'>) {
    this.#deps = deps
  }

  /** From now on this one, or none. Returns when the one before is left. */
  use(hub: Hub | undefined): Promise<void> {
    this.#changing = this.#changing.then(() => this.#change(hub))
    return this.#changing
  }

  wake(statements: readonly SequencedStatement[]): void {
    this.#lane?.wake(statements)
  }

  status(): HubStatus | null {
    return this.#lane?.status() ?? null
  }

  hurry(): void {
    this.#lane?.hurry()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    await this.use(undefined)
  }

  async #change(hub: Hub | undefined): Promise<void> {
    await this.#lane?.[Symbol.asyncDispose]()
    this.#lane = hub === undefined || this.#isEnded ? undefined : new HubLane({ ...this.#deps, hub })
  }
}
