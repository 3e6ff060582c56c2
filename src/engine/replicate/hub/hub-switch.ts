import type { HubStatus } from '../../../domain/hub/status.ts'
import type { Hub } from '../../ports/hub.ts'
import type { SequencedStatement } from '../../ports/ports.ts'
import { createHubLane, type HubLane, type HubLaneDeps } from './lane.ts'

/** The hub that is used now, if any: it can be changed while the daemon runs. */
export function createHubSwitch(deps: Omit<HubLaneDeps, 'hub'>) {
  let lane: HubLane | undefined
  /** Changes are made one after the other. */
  let changing: Promise<void> = Promise.resolve()
  let isEnded = false

  return {
    use,
    wake: (statements: readonly SequencedStatement[]): void => lane?.wake(statements),
    status: (): HubStatus | null => lane?.status() ?? null,
    hurry: (): void => lane?.hurry(),
    async [Symbol.asyncDispose](): Promise<void> {
      isEnded = true
      await use(undefined)
    },
  }

  /** From now on this one, or none. Returns when the one before is left. */
  function use(hub: Hub | undefined): Promise<void> {
    changing = changing.then(() => change(hub))
    return changing
  }

  async function change(hub: Hub | undefined): Promise<void> {
    await lane?.[Symbol.asyncDispose]()
    lane = hub === undefined || isEnded ? undefined : createHubLane({ ...deps, hub })
  }
}
