import type { Self } from '../../domain/env.ts'
import { takeUpInvites } from '../../domain/repo/newcomer-claims.ts'
import type { Clock, Store } from '../ports/ports.ts'

export interface InvitedRepoDeps {
  readonly self: Self
  readonly store: Pick<Store, 'commit' | 'view' | 'onDurable'>
  readonly clock: Pick<Clock, 'now' | 'newNonce'>
  readonly failed?: ((error: unknown) => void) | undefined
}

/**
 * An invite can give this daemon a repo of a project that has not arrived yet. The repo is claimed when the project
 * arrives. Returns a function that checks for such projects, to be called at a start and when an invite was used.
 */
export function createInvitedRepoCheck({ self, store, clock, failed }: InvitedRepoDeps): () => void {
  const check = (): void => {
    if (!isPromisedAnything(store)) return
    const env = () => ({ self, now: clock.now(), newNonce: clock.newNonce })
    store.commit((view) => takeUpInvites(view, env())).catch((error: unknown) => failed?.(error))
  }
  store.onDurable((statements) => {
    if (statements.some(({ statement }) => statement.kind === 'project')) check()
  })
  return check
}

function isPromisedAnything({ view }: Pick<Store, 'view'>): boolean {
  for (const { promised = [] } of view.peers.oldestFirst()) if (promised.length > 0) return true
  return false
}
