import type { PlainContract, PlainProject, PlainRepo } from './models.ts'
import { BadValue } from './stamp.ts'

/** A value as the wire would hand it over: nothing is shared with the original. */
export const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** What the reference keeps on disk. Whoever stores here stamps: also what came from a peer with its time. */
export class PlainState {
  readonly projects = new Map<string, PlainProject>()
  readonly #now: () => string

  constructor(now: () => string) {
    this.#now = now
  }

  project(projectId: unknown): PlainProject {
    const project = this.projects.get(projectId as string)
    if (project === undefined) throw new BadValue(`Project not found: ${projectId}`)
    return project
  }

  contract(project: PlainProject, contractId: unknown): PlainContract {
    const contract = project.contracts.find(({ contract_id }) => contract_id === contractId)
    if (contract === undefined) throw new BadValue(`Contract not found: ${contractId}`)
    return contract
  }

  storeProject(project: PlainProject): void {
    project.updated_at = this.#now()
    this.projects.set(project.project_id, project)
  }

  storeContract(project: PlainProject, contract: PlainContract): void {
    contract.updated_at = this.#now()
    putBy(project.contracts, contract, ({ contract_id }) => contract_id)
  }

  storeRepo(project: PlainProject, repo: PlainRepo): void {
    putBy(project.repos, repo, ({ repo_id }) => repo_id)
    this.storeProject(project)
  }
}

/** Puts an item in the place of the one with its key, or at the end. */
export function putBy<Item>(items: Item[], item: Item, keyOf: (item: Item) => string): void {
  const index = items.findIndex((other) => keyOf(other) === keyOf(item))
  if (index < 0) items.push(item)
  else items[index] = item
}
