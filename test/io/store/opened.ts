import type { Statement } from '../../../src/domain/statements/statement.ts'
import type { ProjectView, View } from '../../../src/domain/view.ts'
import type { Store } from '../../../src/engine/ports/ports.ts'
import { type OpenedStore, type OpenStoreOptions, openStore } from '../../../src/io/store/open-store.ts'
import { Fault, type FaultKind } from '../../../src/protocol/fault.ts'
import type { SimulatedDisk } from '../../support/simulated/disk.ts'
import { AUTHOR, stoppedClock } from './entities.ts'

/** Where the store lies on a simulated disk. */
export const DIRECTORY = '/data'

export function openOn(disk: SimulatedDisk, options: Partial<OpenStoreOptions> = {}): Promise<OpenedStore> {
  const sign = async (id: string) => AUTHOR.signature(id)
  return openStore({ directory: DIRECTORY, clock: stoppedClock(), disk, sign, ...options })
}

/** What others said, as if it had just come. */
export function keep(store: Store, ...takes: Statement[]): Promise<void> {
  return store.commit(() => ({ result: undefined, takes }))
}

export function look<Result>(store: Store, read: (view: View) => Result): Promise<Result> {
  return store.commit((view) => ({ result: read(view) }))
}

export async function close(store: Store): Promise<void> {
  await store[Symbol.asyncDispose]()
}

/** All that a view shows, as plain values in order. */
export function contentOf(view: Pick<View, 'projects' | 'peers'>) {
  return {
    projects: [...view.projects.oldestFirst()].map(projectContent),
    peers: [...view.peers.oldestFirst()],
  }
}

function projectContent({ project, repos, contracts, packets }: ProjectView) {
  return {
    project,
    repos: [...repos.oldestFirst()],
    contracts: [...contracts.oldestFirst()],
    packets: [...packets.oldestFirst()],
  }
}

/** The contracts of a project, by name. */
export const contractsIn = (store: Store, projectId: string): string[] =>
  [...(store.view.projects.get(projectId)?.contracts.oldestFirst() ?? [])].map(({ name }) => name)

/** The kind of the Fault that a promise fails with; undefined when it succeeds. */
export async function faultOf(promise: Promise<unknown>): Promise<FaultKind | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.kind
    throw error
  }
}
