import { LIMITS } from '../protocol/limits.ts'
import { type Stamp, stampAfter } from '../protocol/stamp.ts'
import type { Caller } from './env.ts'
import { lastChangeOf } from './last-change.ts'
import { mergeReceipt } from './merge.ts'
import type { Contract, Packet, Receipt, Sighting } from './model.ts'
import { packetStamp } from './project.ts'
import type { ProjectView, View } from './view.ts'

/** What an answer showed of a project, as it was when the answer was made. */
export interface Shown {
  readonly project_id: string
  readonly contracts?: readonly Contract[]
  readonly packets?: readonly Packet[]
}

/** All of a project, as far as a receipt has room for it. */
export const newestOf = ({ project, contracts, packets }: ProjectView): Shown => ({
  project_id: project.project_id,
  contracts: firstOf(contracts.newestFirst()),
  packets: firstOf(packets.newestFirst()),
})

function firstOf<T>(values: Iterable<T>): T[] {
  const first: T[] = []
  for (const value of values) {
    if (first.length === LIMITS.receiptItems) break
    first.push(value)
  }
  return first
}

/** Something that an answer tells of; with `of`, as it was then. */
export interface Named {
  readonly projectId: string
  readonly kind: string
  readonly id: string
  readonly of?: string | undefined
}

/** The things that an answer names. What has changed since it was told of was not shown as it is now. */
export function* shownOf(view: View, named: Iterable<Named>): Iterable<Shown> {
  for (const { projectId: project_id, kind, id, of } of named) {
    const found = view.projects.get(project_id)
    const contract = kind === 'contract' ? found?.contracts.get(id) : undefined
    const packet = kind === 'packet' ? found?.packets.get(id) : undefined
    if (contract !== undefined && (of ?? lastChangeOf(contract).at) === lastChangeOf(contract).at)
      yield { project_id, contracts: [contract] }
    if (packet !== undefined && (of ?? packetStamp(packet)) === packetStamp(packet))
      yield { project_id, packets: [packet] }
  }
}

/** In which state something was shown. */
export type Sight = Omit<Sighting, 'at'>

/** An agent that works with this daemon. What peers and strangers read is no sign that anybody's agent saw it. */
export const isLocalAgent = ({ kind, from = 'loopback' }: Caller): boolean =>
  kind === 'operator' || (kind === 'open' && from === 'loopback')

export function sightOfContract(contract: Contract): Sight {
  const { at: of, parts } = lastChangeOf(contract)
  return { key: `contract ${contract.contract_id}`, of, parts }
}

export const sightOfPacket = (packet: Packet): Sight => ({
  key: `packet ${packet.packet_id}`,
  of: packetStamp(packet),
  parts: 1 + packet.others.length,
})

/** Whether a contract is for this repo to look at: it is a party, and another one moved it last. */
export const isContractFor = (repoId: string, contract: Contract): boolean =>
  contract.parties.includes(repoId) && lastChangeOf(contract).by !== repoId

export const isPacketFor = (repoId: string, { from_repo }: Packet): boolean => from_repo !== repoId

/** Whether what was shown then had everything that is there now. */
export const covers = (seen: Sighting | undefined, { of, parts }: Sight): seen is Sighting =>
  seen !== undefined && seen.of >= of && seen.parts >= parts

const indexes = new WeakMap<Receipt, ReadonlyMap<string, Sighting>>()

/** What a receipt tells of, by its key. */
export function seenIn(receipt: Receipt | undefined): ReadonlyMap<string, Sighting> {
  if (receipt === undefined) return NOTHING
  let index = indexes.get(receipt)
  if (index === undefined) {
    index = new Map(receipt.seen.map((one) => [one.key, one]))
    indexes.set(receipt, index)
  }
  return index
}

const NOTHING: ReadonlyMap<string, Sighting> = new Map()

/**
 * Whether a receipt has to say that this was shown. A full one has forgotten what was seen long ago; so that it is
 * not told again at every look, only what is newer than the oldest sighting that is left counts.
 */
export function isNews(receipt: Receipt | undefined, sight: Sight): boolean {
  if (covers(seenIn(receipt).get(sight.key), sight)) return false
  const oldest = receipt?.seen[0]
  return receipt === undefined || oldest === undefined || !isFull(receipt) || sight.of > oldest.at
}

const isFull = ({ seen }: Receipt): boolean => seen.length >= LIMITS.receiptItems

/** The receipt with these sights in it; undefined when that tells nothing new. */
export function receiptWith(
  local: Receipt | undefined,
  { repo_id, sights, now }: { repo_id: string; sights: Iterable<Sight>; now: Stamp },
): Receipt | undefined {
  const before = seenIn(local)
  const seen = Array.from(sights, (sight): Sighting => {
    const last = before.get(sight.key)
    return { ...sight, at: last === undefined ? now : stampAfter(now, last.at) }
  })
  const { value, changed } = mergeReceipt(local ?? { repo_id, seen: [] }, { repo_id, seen })
  return changed ? value : undefined
}
