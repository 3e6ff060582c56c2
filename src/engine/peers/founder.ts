import {
  type ClaimName,
  confirmClaims,
  isConfirmed,
  isFoundedBy,
  unconfirmedIn,
} from '../../domain/repo/confirming.ts'
import { type OwnVoiceDeps, ownEnv } from './own-voice.ts'

export interface FounderDeps extends OwnVoiceDeps {
  /** Whether this daemon accepts claims of daemons that only registered and were not paired. */
  readonly isOpen: boolean
}

const MOST_CLAIMS_PER_COMMIT = 100

/**
 * Confirms the first claim of each repo in the projects that this daemon founded, once the claim is durable. Returns a
 * function that examines all unconfirmed claims again: at a start, or when another daemon is trusted now.
 */
export function confirmClaimsOnArrival(deps: FounderDeps): () => void {
  const { store, self, isOpen, failed } = deps
  /** In the order in which they arrived. */
  const waiting = new Map<string, ClaimName>()
  let isRunning = false

  store.onDurable((statements) => {
    for (const { project_id, statement, isDropped } of statements) {
      // After a rotation another key speaks for the repo, perhaps the one that its daemon is known by.
      const isOfInterest = statement.kind === 'claim' || statement.kind === 'rotation'
      const found = isOfInterest && !isDropped ? store.view.projects.get(project_id) : undefined
      if (found === undefined || !isFoundedBy(found, self)) continue
      const repo = found.repos.get(statement.about)
      if (repo === undefined || isConfirmed(repo)) continue
      const claim_id = statement.kind === 'claim' ? statement.id : repo.holder?.claim_id
      if (claim_id !== undefined) waiting.set(claim_id, { project_id, repo_id: repo.repo_id, claim_id })
    }
    goOn()
  })

  return () => {
    for (const name of unconfirmedIn(store.view, self)) waiting.set(name.claim_id, name)
    goOn()
  }

  function goOn(): void {
    if (isRunning || waiting.size === 0) return
    isRunning = true
    void confirmAll()
      // What could not be written is examined again with the next claim, or at the next start.
      .catch((error: unknown) => failed?.(error))
      .finally(() => {
        isRunning = false
      })
  }

  async function confirmAll(): Promise<void> {
    while (waiting.size > 0) {
      const claims = [...waiting.values()].slice(0, MOST_CLAIMS_PER_COMMIT)
      await store.commit((view) =>
        confirmClaims(view, { claims, later: new Set(waiting.keys()), isOpen, env: ownEnv(deps) }),
      )
      for (const { claim_id } of claims) waiting.delete(claim_id)
    }
  }
}
