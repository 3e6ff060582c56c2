import type { Config } from '../config/config.ts'
import { hashOfSecret } from '../domain/trust/keys.ts'
import { createUiSessions } from '../engine/ui/ui-sessions.ts'
import { createOwnPage } from '../http/guard/own-page.ts'
import { cookieNames } from '../http/ui/cookies.ts'
import { createIdentifyPerson } from '../http/ui/identify-person.ts'
import { uiRoutes } from '../http/ui/routes.ts'
import { newSecret } from '../io/identity/secret.ts'
import { systemTimers } from '../io/system/timers.ts'
import { readPage } from '../io/ui/page-files.ts'
import { runningDaemons } from '../io/ui/running-daemons.ts'
import type { Feed } from '../methods/seat/service.ts'
import { defined } from '../protocol/collections/defined.ts'
import { VERSION } from '../version.ts'
import type { Parts } from './parts.ts'

/** The dashboard for people: its sessions, its routes, and how its calls are recognised. Undefined where it is off. */
export function createUi({ ui, publicUrl, stateDir, dataDir }: Config, parts: Parts) {
  if (ui === false) return undefined
  const { self, store, clock, url, port, certificate, operatorKey, accessWatch } = parts
  const isEncrypted = certificate !== undefined
  const onEnded = () => accessWatch.look()
  const { basePath } = ui
  const remoteOrigin = ui.remote ? publicUrl : null
  const keyHash = hashOfSecret(operatorKey)
  const sessions = createUiSessions({ store, clock, timers: systemTimers, newSecret, keyHash, onEnded })
  const cookies = cookieNames({ port, storeId: store.id })
  const ownPage = createOwnPage({ cookies, isEncrypted, remoteOrigin })
  // Read at once, so that an upgrade of the program does not change the page of one that runs.
  const page = readPage(parts.pageFolder, basePath)
  page.catch(() => {}) // whoever asks for the page is told
  const urls = {
    local: url + basePath,
    ...(remoteOrigin === null ? {} : { remote: remoteOrigin + basePath }),
  }
  return {
    basePath,
    uiUrl: `${urls.local}/ui/`,
    sessions,
    ownPage,
    identifyPerson: createIdentifyPerson({ self, sessions, cookies }),
    routes: (feed: Pick<Feed, 'cursor'>) =>
      uiRoutes({
        feed,
        self,
        version: VERSION,
        clock,
        sessions,
        cookies,
        ownPage,
        isEncrypted,
        urls,
        page: () => page,
        otherDaemons: async () =>
          (await runningDaemons(stateDir))
            .filter((one) => one.dataDir !== dataDir)
            .map(({ endpoint: { repo, url: other, uiUrl } }) => ({
              repo,
              url: other,
              ...defined({ uiUrl }),
            })),
      }),
  }
}
