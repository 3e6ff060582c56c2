import type { Env } from '../../domain/env.ts'
import { takeUpInvites } from '../../domain/repo/newcomer-claims.ts'
import { moveFrom } from '../../domain/repo/repo.ts'
import type { Parts } from '../parts.ts'

/** What a part needs that states something by itself, and not because somebody called. */
export type OwnVoiceDeps = Pick<Parts, 'self' | 'store' | 'clock' | 'failed'>

export const ownEnv = ({
  self,
  clock,
}: Pick<OwnVoiceDeps, 'self' | 'clock'>): Pick<Env, 'self' | 'now' | 'newNonce'> => ({
  self,
  now: clock.now(),
  newNonce: clock.newNonce,
})

/**
 * An invite can give this daemon a repo of a project that has not arrived yet. The repo is claimed when the project
 * arrives. Returns a function that checks for such projects, to be called at a start and when an invite was used.
 */
export function createInvitedRepoCheck(deps: OwnVoiceDeps): () => void {
  const { store, failed } = deps
  const check = (): void => {
    if (!isPromisedAnything(store)) return
    store.commit((view) => takeUpInvites(view, ownEnv(deps))).catch((error: unknown) => failed?.(error))
  }
  store.onDurable((statements) => {
    if (statements.some(({ statement }) => statement.kind === 'project')) check()
  })
  return check
}

function isPromisedAnything({ view }: OwnVoiceDeps['store']): boolean {
  for (const { promised = [] } of view.peers.oldestFirst()) if (promised.length > 0) return true
  return false
}

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
