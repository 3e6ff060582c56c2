import type { Config } from '../config/config.ts'
import { saveHub } from '../config/save-hub.ts'
import type { HubPlace } from '../engine/ports/hub.ts'
import { lookAtHub, makeStreams } from '../io/hub/hub-admin.ts'
import { createNatsHub } from '../io/hub/nats-hub.ts'
import type { HubSettings } from '../protocol/hub-settings.ts'

/** The hub of this daemon: what its settings say, and where a change of them is kept. */
export function hubPlaceOf(config: Config): HubPlace {
  let settings = config.hub
  const access = (given: HubSettings) => ({ ...given, name: config.agentId })
  return {
    get settings() {
      return settings
    },
    hubOf: (given) => createNatsHub(access(given)),
    look: (given, signal) => lookAtHub(access(given), signal),
    makeStreams: (given, limits, signal) => makeStreams(access(given), limits, signal),
    async save(next) {
      await saveHub(config, next)
      settings = next
    },
  }
}
