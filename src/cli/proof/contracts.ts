import type { Client } from '../../client.ts'
import { readInterface } from '../../domain/interface/review.ts'
import type { Served } from '../../domain/mock/routes.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import {
  fetchContracts,
  type ListedContract,
  listContracts,
  type WholeContract,
} from '../contract/all-contracts.ts'

/** What a contract says: as it is in force, and as its newest version proposes it. */
export interface KnownContract {
  readonly inForce: Served | undefined
  /** Undefined where the newest version is in force, or proposes the end of the contract. */
  readonly proposed: Served | undefined
}

interface Kept {
  readonly key: string
  readonly made: KnownContract
}

/** The contracts of a project. Of what is as it was before, nothing is fetched again. */
export class ContractReader {
  readonly #projectId: string
  #known = new Map<string, Kept>()

  constructor(projectId: string) {
    this.#projectId = projectId
  }

  get contracts(): readonly KnownContract[] {
    return Array.from(this.#known.values(), ({ made }) => made)
  }

  async read(client: Client): Promise<void> {
    const rows = await listContracts(client, this.#projectId)
    const changed = rows.filter((row) => this.#known.get(row.contractId)?.key !== keyOf(row))
    const ids = changed.map(({ contractId }) => contractId)
    const contracts = await fetchContracts(client, this.#projectId, ids)
    const fetched = new Map(contracts.map((one) => [one.contractId, one]))
    const next = new Map<string, Kept>()
    for (const row of rows) {
      const got = fetched.get(row.contractId)
      const known =
        got === undefined ? this.#known.get(row.contractId) : { key: keyOf(row), made: madeOf(row, got) }
      if (known !== undefined) next.set(row.contractId, known)
    }
    this.#known = next
  }
}

/** What says whether anything has changed that matters here. */
const keyOf = ({ inForce, version, proposedBy, conflictCount, name }: ListedContract): string =>
  [inForce?.revision ?? '', version, proposedBy, conflictCount, name].join('\n')

function madeOf(
  { contractId, name, endProposed }: ListedContract,
  { type, version, content, inForce }: WholeContract,
): KnownContract {
  const served = (one: number, own: JsonObject): Served => ({
    contractId,
    name,
    version: one,
    interface: readInterface(type, own),
  })
  const isNewest = inForce !== null && inForce.content === undefined
  return {
    inForce: inForce === null ? undefined : served(inForce.version, inForce.content ?? content),
    proposed: isNewest || endProposed === true ? undefined : served(version, content),
  }
}

export const inForceOf = (contracts: readonly KnownContract[]): readonly Served[] =>
  contracts.flatMap(({ inForce }) => (inForce === undefined ? [] : [inForce]))
