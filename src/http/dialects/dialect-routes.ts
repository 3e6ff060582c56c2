import type { Self } from '../../domain/env.ts'
import type { AccessWatch } from '../../engine/peers/access-watch.ts'
import type { Clock, Store } from '../../engine/ports/ports.ts'
import type { Runs } from '../../methods/runs/service.ts'
import type { Works } from '../../methods/runs/work-service.ts'
import type { Fault } from '../../protocol/fault.ts'
import type { Route } from '../routes/routes.ts'
import { a2aCardRoutes } from './a2a/card.ts'
import { agentApiRoutes } from './agent-api/agent-api.ts'
import { type ChiffonSettings, chiffonRoutes } from './chiffon/chiffon.ts'
import { assistRoutes, type CoreasonSettings } from './coreason/assist.ts'
import { capRoutes } from './coreason/cap.ts'

/** What the routes of all dialects work with. */
export interface DialectDeps {
  readonly self: Self
  readonly version: string
  readonly runs: Runs
  readonly works: Works
  readonly chiffon: ChiffonSettings
  readonly coreason: CoreasonSettings
  readonly store: Store
  readonly clock: Clock
  readonly accessWatch: AccessWatch
  readonly startedAt: number
  /** Whether callers need no key. */
  readonly isOpen: boolean
  /** A stream that was silent for so long gets a comment, which shows that it is still open. */
  readonly commentMillis: number
  /** For the log only: what of a failure no caller may see. */
  readonly report: (fault: Fault) => void
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
