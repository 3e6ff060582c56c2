import { type ContractPlace, type FileLooks, ownWorkIn, stateTree } from '../../domain/proof/own-tree.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import type { Services } from '../../methods/services.ts'
import { type OwnVoiceDeps, ownEnv } from '../peers/own-voice.ts'
import { createInTurn } from '../ports/in-turn.ts'
import type { RepositoryFiles, Timers } from '../ports/ports.ts'
import { repeat } from '../timing/repeat.ts'

export interface OwnTreesDeps extends OwnVoiceDeps {
  readonly timers: Timers
  readonly repositoryFiles: RepositoryFiles
  readonly everyMillis: number
}

export type OwnTrees = Services['trees'] & AsyncDisposable

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
    for (const { statement } of changes) {
      const place = note(statement)
      if (place !== undefined) void refresh(place).catch((error: unknown) => failed?.(error))
    }
  })
  const repeated = repeat(timers, everyMillis, () => refresh().catch((error: unknown) => failed?.(error)))

  function note({ kind, project_id: projectId, about: contractId, body }: Statement) {
    if (kind !== 'work' || body['status'] !== 'complete') return undefined
    const place = { projectId, contractId }
    candidates.set(keyOf(place), place)
    return place
  }

  const refresh = (contract?: ContractPlace): Promise<void> =>
    inTurn(() => look(contract === undefined ? [...candidates.values()] : [contract]))

  async function look(places: readonly ContractPlace[]): Promise<void> {
    const looked: (ContractPlace & { workId: string; looks: FileLooks })[] = []
    for (const place of places) {
      const own = ownWorkIn(store.view, place, self)
      if (own === undefined) candidates.delete(keyOf(place))
      else looked.push({ ...place, workId: own.work.id, looks: await repositoryFiles.look(own.work.files) })
    }
    const isNews = looked.some((one) => stateTree(store.view, one, ownEnv(deps)) !== undefined)
    if (!isNews) return
    await store.commit((view) => ({
      result: undefined,
      says: looked.flatMap((one) => stateTree(view, one, ownEnv(deps)) ?? []),
    }))
  }

  return {
    ...repeated,
    refresh,
    lookFor: ({ agentId }, paths) => (agentId === self.agentId ? repositoryFiles.look(paths) : undefined),
  }
}

const keyOf = ({ projectId, contractId }: ContractPlace): string => `${projectId} ${contractId}`

/** For a daemon without a repository of its own, as in simulations. */
export const NO_TREES: OwnTrees = {
  refresh: async () => {},
  lookFor: () => undefined,
  [Symbol.asyncDispose]: async () => {},
}
