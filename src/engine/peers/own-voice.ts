import type { Env, Self } from '../../domain/env.ts'
import type { Clock, Store } from '../ports/ports.ts'

/** What a part needs that states something by itself, and not because somebody called. */
export interface OwnVoiceDeps {
  readonly self: Self
  readonly store: Pick<Store, 'commit' | 'view' | 'onDurable'>
  readonly clock: Pick<Clock, 'now' | 'newNonce'>
  /** Called with what could not be written. */
  readonly failed?: ((error: unknown) => void) | undefined
}

export const ownEnv = ({
  self,
  clock,
}: Pick<OwnVoiceDeps, 'self' | 'clock'>): Pick<Env, 'self' | 'now' | 'newNonce'> => ({
  self,
  now: clock.now(),
  newNonce: clock.newNonce,
})
