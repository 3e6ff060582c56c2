import { type ContractPlace, type FileHashes, ownWorkIn, stateTree } from '../../domain/proof/own-tree.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import { type OwnVoiceDeps, ownEnv } from '../peers/own-voice.ts'
import { createInTurn } from '../ports/in-turn.ts'
import type { RepositoryFiles, Timers } from '../ports/ports.ts'
import { repeat } from '../timing/repeat.ts'

export interface OwnTreesDeps extends OwnVoiceDeps {
  readonly timers: Timers
  readonly repositoryFiles: RepositoryFiles
  readonly everyMillis: number
}

export interface OwnTrees extends AsyncDisposable {
  /** Looks at all declared files again, and states what changed. */
  refresh(): Promise<void>
}

/**
 * Keeps stated what the declared files of this repository are like: when its part of a contract is complete, before a
 * verification or a gate asks, and from time to time. Contracts are looked at only while somebody's work on them is new,
 * or our own is complete.
 */
export function createOwnTrees(deps: OwnTreesDeps): OwnTrees {
  const { store, self, timers, repositoryFiles, everyMillis, failed } = deps
  const candidates = new Map<string, ContractPlace>()
  const inTurn = createInTurn()
  for (const { statement } of store.statements()) note(statement)
  store.onDurable((changes) => {
    const isNew = changes.filter(({ statement }) => note(statement)).length > 0
    if (isNew) void refresh().catch((error: unknown) => failed?.(error))
  })
  const repeated = repeat(timers, everyMillis, () => refresh().catch((error: unknown) => failed?.(error)))

  function note({ kind, project_id: projectId, about: contractId, body }: Statement): boolean {
    if (kind !== 'work' || body['status'] !== 'complete') return false
    candidates.set(`${projectId} ${contractId}`, { projectId, contractId })
    return true
  }

  const refresh = (): Promise<void> => inTurn(refreshNow)

  async function refreshNow(): Promise<void> {
    const looked: (ContractPlace & { workId: string; hashes: FileHashes })[] = []
    for (const [key, place] of candidates) {
      const own = ownWorkIn(store.view, place, self)
      if (own === undefined) candidates.delete(key)
      else looked.push({ ...place, workId: own.work.id, hashes: await repositoryFiles.hash(own.work.files) })
    }
    const isNews = looked.some((one) => stateTree(store.view, one, ownEnv(deps)) !== undefined)
    if (!isNews) return
    await store.commit((view) => ({
      result: undefined,
      says: looked.flatMap((one) => stateTree(view, one, ownEnv(deps)) ?? []),
    }))
  }

  return { refresh, [Symbol.asyncDispose]: () => repeated[Symbol.asyncDispose]() }
}

/** For a daemon without a repository of its own, as in simulations. */
export const NO_TREES: OwnTrees = { refresh: async () => {}, [Symbol.asyncDispose]: async () => {} }
