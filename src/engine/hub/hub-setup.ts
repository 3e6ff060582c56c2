import type { HubSetup } from '../../methods/services.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Hub, HubPlace } from '../ports/hub.ts'
import type { Timers } from '../ports/ports.ts'

interface HubSetupDeps {
  readonly timers: Timers
  /** Left out where the settings of this daemon are kept nowhere, as in simulations. */
  readonly hubPlace?: HubPlace | undefined
  /** Uses this hub from now on, or none. */
  use(hub: Hub | undefined): Promise<void>
}

/** How long a hub may take to be looked at. */
const PATIENCE_MILLIS = 30_000

/** Changes which hub is used while the daemon runs. */
export function createHubSetup({ timers, hubPlace, use }: HubSetupDeps): HubSetup {
  const place = (): HubPlace => {
    if (hubPlace !== undefined) return hubPlace
    throw new Fault('invalid_request', 'This daemon keeps no settings')
  }
  const patiently = async <Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
    const ended = new AbortController()
    const cancel = timers.after(PATIENCE_MILLIS, () => ended.abort(tooSlow()))
    try {
      return await ask(ended.signal)
    } finally {
      cancel()
    }
  }
  return {
    get settings() {
      return hubPlace?.settings ?? null
    },
    async connect(settings) {
      const found = await patiently((signal) => place().look(settings, signal))
      await place().save(settings)
      await use(place().hubOf(settings))
      return found
    },
    async disconnect() {
      const isThere = place().settings !== null
      if (isThere) await place().save(null)
      await use(undefined)
      return isThere
    },
    async init(limits, as) {
      const { settings } = place()
      if (settings === null)
        throw new Fault('not_found', 'This daemon uses no hub', { next: 'Run `cacpd hub connect URL` first' })
      const { creds: _, nkey: __, ...rest } = settings
      const isOther = as.creds !== undefined || as.nkey !== undefined
      const made = await patiently((signal) =>
        place().makeStreams(isOther ? { ...rest, ...as } : settings, limits, signal),
      )
      // What was missing is there now: begin at once instead of after a pause.
      await use(place().hubOf(settings))
      return made
    },
  }
}

const tooSlow = (): Fault =>
  new Fault('unavailable', 'The hub did not answer in time', { next: 'See whether the server is well' })
