import type { Route } from '../router/route.ts'

/** What every screen is given. */
export interface ScreenProps {
  readonly route: Route
}
