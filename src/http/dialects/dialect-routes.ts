import type { Route, RouteDeps } from '../routes/routes.ts'
import { a2aCardRoutes } from './a2a/card.ts'
import { agentApiRoutes } from './agent-api/agent-api.ts'
import { type ChiffonSettings, chiffonRoutes } from './chiffon/chiffon.ts'
import { assistRoutes, type CoreasonSettings } from './coreason/assist.ts'
import { capRoutes } from './coreason/cap.ts'

export interface DialectDeps extends RouteDeps {
  readonly chiffon: ChiffonSettings
  readonly coreason: CoreasonSettings
  /** Whether callers need no key. */
  readonly isOpen: boolean
}

/**
 * The routes of all dialects. Each dialect is a pure translator in `src/dialects/<name>/` and a file beside
 * this one that has its routes: it reads the body, starts the run, and sends the translated events.
 * A route with `refuse` answers every failure before the first byte in its dialect's own words.
 */
export function dialectRoutes(deps: DialectDeps): readonly Route[] {
  return [
    ...assistRoutes(deps),
    ...capRoutes(deps),
    ...chiffonRoutes(deps),
    ...agentApiRoutes(deps),
    ...a2aCardRoutes(deps),
  ]
}
