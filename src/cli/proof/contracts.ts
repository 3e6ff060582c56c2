import { setTimeout as sleep } from 'node:timers/promises'
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
import { AGAIN_MILLIS, type CallFlags, withDaemon } from '../form/with-daemon.ts'
import type { Terminal } from '../output/terminal.ts'

/** What a contract says: as it is in force, and as its newest version proposes it. */
export interface KnownContract {
  readonly inForce: Served | undefined
  /** Undefined where the newest version is in force, or proposes the end of the contract. */
  readonly proposed: Served | undefined
}

/** Reads the contracts of a project. Of what is as it was before, nothing is fetched again. */
export function contractReader(projectId: string) {
  let known = new Map<string, { readonly key: string; readonly made: KnownContract }>()
  return async (client: Client): Promise<readonly KnownContract[]> => {
    const rows = await listContracts(client, projectId)
    const changed = rows.filter((row) => known.get(row.contractId)?.key !== keyOf(row))
    const ids = changed.map(({ contractId }) => contractId)
    const contracts = await fetchContracts(client, projectId, ids)
    const fetched = new Map(contracts.map((one) => [one.contractId, one]))
    const next: typeof known = new Map()
    for (const row of rows) {
      const got = fetched.get(row.contractId)
      const kept = got === undefined ? known.get(row.contractId) : { key: keyOf(row), made: madeOf(row, got) }
      if (kept !== undefined) next.set(row.contractId, kept)
    }
    known = next
    return Array.from(known.values(), ({ made }) => made)
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

/** What holds; or what the newest versions say, where those are meant. */
export const servedOf = (contracts: readonly KnownContract[], isProposed: boolean): readonly Served[] =>
  contracts.flatMap(({ inForce, proposed }) => {
    const one = isProposed ? (proposed ?? inForce) : inForce
    return one === undefined ? [] : [one]
  })

interface Following {
  readonly projectId: string
  readonly read: ReturnType<typeof contractReader>
  readonly flags: CallFlags
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** Called when the contracts may be others. */
  readonly onRead: (contracts: readonly KnownContract[]) => void
}

/** Reads the contracts again whenever one changes. While the daemon is away, what was read last counts. */
export async function followContracts(following: Following): Promise<void> {
  const { flags, terminal, signal } = following
  while (!signal.aborted) {
    try {
      await withDaemon(flags, terminal, (client) => followOnce(client, following))
    } catch {
      // It is back sooner or later, or the mock ends first.
    }
    await sleep(AGAIN_MILLIS, undefined, { signal }).catch(() => {})
  }
}

async function followOnce(client: Client, { projectId, read, signal, onRead }: Following): Promise<void> {
  let reading: Promise<void> | undefined
  let isOld = false
  const readAll = async () => {
    while (isOld) {
      isOld = false
      onRead(await read(client))
    }
  }
  // The first event only says where it begins: what changed before that is read now.
  for await (const _ of client.follow({ projectId, kinds: ['contract'] }, { signal })) {
    isOld = true
    reading ??= readAll().finally(() => {
      reading = undefined
    })
    reading.catch(() => {})
  }
  await reading
}
