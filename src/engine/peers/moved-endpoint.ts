import { moveFrom } from '../../domain/repo/moved-endpoint.ts'
import { type OwnVoiceDeps, ownEnv } from './own-voice.ts'

export interface NewEndpointDeps extends OwnVoiceDeps {
  /** The endpoint at the previous start; undefined at the very first start. */
  readonly movedFrom?: string | undefined
}

/** States the new endpoint in the projects of this daemon's agents, if it has changed since the last start. */
export async function stateNewEndpoint(deps: NewEndpointDeps): Promise<void> {
  const { self, store, movedFrom, failed } = deps
  if (movedFrom === undefined || movedFrom === self.endpoint) return
  try {
    await store.commit((view) => ({ says: moveFrom(view, movedFrom, ownEnv(deps)), result: undefined }))
  } catch (error) {
    // A store that cannot be written can still be read, so the start goes on.
    failed?.(error)
  }
}
