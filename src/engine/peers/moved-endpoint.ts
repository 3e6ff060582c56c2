import type { Self } from '../../domain/env.ts'
import { moveFrom } from '../../domain/repo/moved-endpoint.ts'
import type { Clock, Store } from '../ports/ports.ts'

export interface NewEndpointDeps {
  readonly self: Self
  readonly store: Pick<Store, 'commit'>
  readonly clock: Pick<Clock, 'now' | 'newNonce'>
  /** The endpoint at the previous start; undefined at the very first start. */
  readonly movedFrom?: string | undefined
  readonly failed?: ((error: unknown) => void) | undefined
}

/** States the new endpoint in the projects of this daemon's agents, if it has changed since the last start. */
export async function stateNewEndpoint({
  self,
  store,
  clock,
  movedFrom,
  failed,
}: NewEndpointDeps): Promise<void> {
  if (movedFrom === undefined || movedFrom === self.endpoint) return
  const env = () => ({ self, now: clock.now(), newNonce: clock.newNonce })
  try {
    await store.commit((view) => ({ says: moveFrom(view, movedFrom, env()), result: undefined }))
  } catch (error) {
    // A store that cannot be written can still be read, so the start goes on.
    failed?.(error)
  }
}
