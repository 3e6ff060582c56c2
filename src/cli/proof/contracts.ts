import type { BatchCall, Client } from '../../client.ts'
import { readInterface } from '../../domain/interface/review.ts'
import type { Served } from '../../domain/mock/routes.ts'
import type { ResultOf } from '../../methods/table.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'

/** What a contract says: as it is in force, and as its newest version proposes it. */
export interface KnownContract {
  readonly inForce: Served | undefined
  /** Undefined where the newest version is in force, or proposes the end of the contract. */
  readonly proposed: Served | undefined
}

type Row = ResultOf<'cacp/contract/list'>['contracts'][number]
type Contract = ResultOf<'cacp/contract/get'>

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
    const rows = await this.#rows(client)
    const fetched = await this.#fetch(
      client,
      rows.filter((row) => this.#known.get(row.contractId)?.key !== keyOf(row)),
    )
    const next = new Map<string, Kept>()
    for (const row of rows) {
      const got = fetched.get(row.contractId)
      const known =
        got === undefined ? this.#known.get(row.contractId) : { key: keyOf(row), made: madeOf(row, got) }
      if (known !== undefined) next.set(row.contractId, known)
    }
    this.#known = next
  }

  async #rows(client: Client): Promise<readonly Row[]> {
    const rows: Row[] = []
    let cursor: string | undefined
    do {
      const page = await client.call('cacp/contract/list', { projectId: this.#projectId, cursor })
      rows.push(...page.contracts.filter(({ retired }) => retired !== true))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return rows
  }

  async #fetch(client: Client, rows: readonly Row[]): Promise<ReadonlyMap<string, Contract>> {
    const found = new Map<string, Contract>()
    for (let start = 0; start < rows.length; start += LIMITS.batchItems) {
      const calls = rows.slice(start, start + LIMITS.batchItems).map(({ contractId }) => ({
        method: 'cacp/contract/get' as const,
        params: { projectId: this.#projectId, contractId },
      })) satisfies readonly BatchCall[]
      // One that went away in the meantime is left out.
      for (const answer of await client.batch(calls))
        if (answer.status === 'fulfilled') found.set(answer.value.contractId, answer.value)
    }
    return found
  }
}

/** What says whether anything has changed that matters here. */
const keyOf = ({ inForce, version, proposedBy, conflictCount, name }: Row): string =>
  [inForce?.revision ?? '', version, proposedBy, conflictCount, name].join('\n')

function madeOf(
  { contractId, name, endProposed }: Row,
  { type, version, content, inForce }: Contract,
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
