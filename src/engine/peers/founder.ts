import {
  type ClaimName,
  confirmClaims,
  isConfirmed,
  isFoundedBy,
  unconfirmedIn,
} from '../../domain/repo/confirming.ts'
import type { SequencedStatement } from '../ports/ports.ts'
import { type OwnVoiceDeps, ownEnv } from './own-voice.ts'

export interface FounderDeps extends OwnVoiceDeps {
  /** Whether this daemon accepts claims of daemons that only registered and were not paired. */
  readonly isOpen: boolean
}

/** How many claims are examined in one commit. */
const AT_ONCE = 100

/** Confirms the first claim of each repo in the projects that this daemon founded, once the claim is durable. */
export class Founder {
  readonly #deps: FounderDeps
  /** In the order in which they arrived. */
  readonly #waiting = new Map<string, ClaimName>()
  #isRunning = false

  constructor(deps: FounderDeps) {
    this.#deps = deps
    deps.store.onDurable((statements) => this.#noteClaims(statements))
  }

  /** Examines all unconfirmed claims again: at a start, or when another daemon is trusted now. */
  checkAll(): void {
    const { store, self } = this.#deps
    for (const name of unconfirmedIn(store.view, self)) this.#waiting.set(name.claim_id, name)
    this.#goOn()
  }

  #noteClaims(statements: readonly SequencedStatement[]): void {
    const { view } = this.#deps.store
    for (const { project_id, statement, isDropped } of statements) {
      const found = statement.kind === 'claim' && !isDropped ? view.projects.get(project_id) : undefined
      if (found === undefined || !isFoundedBy(found, this.#deps.self)) continue
      const repo = found.repos.get(statement.about)
      if (repo === undefined || isConfirmed(repo)) continue
      const { id: claim_id, about: repo_id } = statement
      this.#waiting.set(claim_id, { project_id, repo_id, claim_id })
    }
    this.#goOn()
  }

  #goOn(): void {
    if (this.#isRunning || this.#waiting.size === 0) return
    this.#isRunning = true
    void this.#run()
      // What could not be written is examined again with the next claim, or at the next start.
      .catch((error: unknown) => this.#deps.failed?.(error))
      .finally(() => {
        this.#isRunning = false
      })
  }

  async #run(): Promise<void> {
    const { store, isOpen } = this.#deps
    while (this.#waiting.size > 0) {
      const claims = [...this.#waiting.values()].slice(0, AT_ONCE)
      await store.commit((view) => {
        const later = new Set(this.#waiting.keys())
        return confirmClaims(view, { claims, later, isOpen, env: ownEnv(this.#deps) })
      })
      for (const { claim_id } of claims) this.#waiting.delete(claim_id)
    }
  }
}
