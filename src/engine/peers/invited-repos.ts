import { takeUpInvites } from '../../domain/repo/newcomer-claims.ts'
import { type OwnVoiceDeps, ownEnv } from './own-voice.ts'

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
