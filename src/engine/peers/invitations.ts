import type { Self } from '../../domain/env.ts'
import { takeUpInvites } from '../../domain/repo/newcomer-claims.ts'
import type { Clock, Store } from '../ports/ports.ts'

export interface InvitedDeps {
  readonly self: Self
  readonly store: Pick<Store, 'commit' | 'view' | 'onDurable'>
  readonly clock: Pick<Clock, 'now' | 'newNonce'>
  readonly failed?: ((error: unknown) => void) | undefined
}

/**
 * An invite gives a repo of a project that is not here yet. It is claimed when that arrives; answers what looks whether
 * one has, at a start or when an invite was used.
 */
export function createInvited({ self, store, clock, failed }: InvitedDeps): () => void {
  const look = (): void => {
    if (!isPromisedAnything(store)) return
    const env = () => ({ self, now: clock.now(), newNonce: clock.newNonce })
    store.commit((view) => takeUpInvites(view, env())).catch((error: unknown) => failed?.(error))
  }
  store.onDurable((statements) => {
    if (statements.some(({ statement }) => statement.kind === 'project')) look()
  })
  return look
}

function isPromisedAnything({ view }: Pick<Store, 'view'>): boolean {
  for (const { promised = [] } of view.peers.oldestFirst()) if (promised.length > 0) return true
  return false
}
