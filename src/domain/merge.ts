import { canonicalText, compareText } from '../protocol/canonical.ts'
import { LIMITS } from '../protocol/limits.ts'
import type { Stamp } from '../protocol/stamp.ts'
import type { BaseStatus } from '../protocol/words.ts'
import { byPrecedence } from './contract.ts'
import { workKey } from './implementation.ts'
import {
  byText,
  isEqual,
  type Joining,
  joinBy,
  joinExtra,
  maxBy,
  newest,
  type Order,
  unionOfTexts,
} from './join.ts'
import type {
  Claim,
  Contract,
  Implementation,
  Packet,
  Project,
  Receipt,
  Register,
  Repo,
  Response,
  Revision,
  Sighting,
  Verification,
} from './model.ts'
import { claimKey } from './repo.ts'

/** What two replicas hold of the same thing, joined. `changed` says whether the left one learnt something. */
export interface Merged<T> {
  readonly value: T
  readonly changed: boolean
}

export function mergeProject(local: Project, incoming: Project): Merged<Project> {
  const origin = maxBy(earlierOrigin, local, incoming)
  return settle(local, {
    ...origin,
    name: newest(local.name, incoming.name),
    objective: newest(local.objective, incoming.objective),
    archived: newest(local.archived, incoming.archived),
    visibility: local.visibility === 'members' ? local.visibility : incoming.visibility,
    extra: joinExtra(local.extra, incoming.extra),
  })
}

/** At the same moment the larger text, so that a peer which does not know the author cannot erase it. */
const earlierOrigin: Order<Project> = (a, b) =>
  compareText(b.created_at, a.created_at) || compareText(a.created_by, b.created_by)

export function mergeRepo(local: Repo, incoming: Repo): Merged<Repo> {
  return settle(local, {
    repo_id: local.repo_id,
    name: maxBy(compareText, local.name, incoming.name),
    about: newest(local.about, incoming.about),
    claims: joinBy(CLAIMS, local.claims, incoming.claims),
    extra: joinExtra(local.extra, incoming.extra),
  })
}

const laterOf = (a: Stamp | null, b: Stamp | null): Stamp | null =>
  a === null ? b : b === null ? a : maxBy(compareText, a, b)

const joinClaims = (a: Claim, b: Claim): Claim => ({
  ...a,
  released_at: laterOf(a.released_at, b.released_at),
  endpoint: newest(a.endpoint, b.endpoint),
})

export const CLAIMS: Joining<Claim> = {
  key: claimKey,
  join: joinClaims,
  order: (a, b) => compareText(claimKey(a), claimKey(b)),
}

export function mergeContract(local: Contract, incoming: Contract): Merged<Contract> {
  const origin = maxBy(earlierContract, local, incoming)
  return settle(local, {
    contract_id: local.contract_id,
    type: origin.type,
    name: origin.name,
    created_at: origin.created_at,
    parties: unionOfTexts(local.parties, incoming.parties),
    revisions: joinBy(REVISIONS, local.revisions, incoming.revisions),
    responses: joinBy(RESPONSES, local.responses, incoming.responses),
    implementations: joinBy(WORK, local.implementations, incoming.implementations),
    verifications: joinBy(VERIFICATIONS, local.verifications, incoming.verifications),
    extra: joinExtra(local.extra, incoming.extra),
  })
}

const earlierContract: Order<Contract> = (a, b) =>
  compareText(b.created_at, a.created_at) || compareText(b.type, a.type) || compareText(b.name, a.name)

const joinRevisions = (a: Revision, b: Revision): Revision => ({
  ...a,
  parent: maxBy(compareText, a.parent ?? '', b.parent ?? '') || null,
  resolves: unionOfTexts(a.resolves, b.resolves),
  change_notes: maxBy(compareText, a.change_notes, b.change_notes),
  timestamp: maxBy(compareText, a.timestamp, b.timestamp),
  base: maxBy(byCommitment, a.base, b.base),
})

/** At the same moment the less committed status wins: an objection is not lost in an agreement. */
const COMMITMENT: Record<BaseStatus, number> = { negotiating: 0, proposed: 1, agreed: 2 }
const byCommitment: Order<Register<BaseStatus>> = (a, b) =>
  compareText(a.at, b.at) || COMMITMENT[b.value] - COMMITMENT[a.value]

const newerWork = (a: Implementation, b: Implementation): Implementation =>
  maxBy((x, y) => compareText(x.updated_at, y.updated_at) || byText(x, y), a, b)

/** Responses and verifications are written once; an id used twice keeps the same one everywhere. */
const largerRecord = <T extends { timestamp: string }>(a: T, b: T): T =>
  maxBy((x, y) => compareText(x.timestamp, y.timestamp) || byText(x, y), a, b)

const byTime =
  <T extends { timestamp: string }>(id: (one: T) => string): Order<T> =>
  (a, b) =>
    compareText(a.timestamp, b.timestamp) || compareText(id(a), id(b))

export const REVISIONS: Joining<Revision> = {
  key: (one) => one.id,
  join: joinRevisions,
  order: byPrecedence,
}
export const WORK: Joining<Implementation> = {
  key: workKey,
  join: newerWork,
  order: (a, b) => compareText(workKey(a), workKey(b)),
}
export const RESPONSES: Joining<Response> = {
  key: (one) => one.response_id,
  join: largerRecord,
  order: byTime((one) => one.response_id),
}
export const VERIFICATIONS: Joining<Verification> = {
  key: (one) => one.verification_id,
  join: largerRecord,
  order: byTime((one) => one.verification_id),
}

/** Packets never change. A reused id keeps the newer one in front and the other behind it; a redaction ends both. */
export function mergePacket(local: Packet, incoming: Packet): Merged<Packet> {
  if (local.redacted !== null || incoming.redacted !== null) {
    const redacted = [local, incoming].filter((packet) => packet.redacted !== null)
    return settle(
      local,
      redacted.reduce((a, b) => maxBy(byRedaction, a, b)),
    )
  }
  const all = joinBy(
    { key: canonicalText, join: (a) => a, order: byPacket },
    [...local.others, withoutOthers(local)],
    [...incoming.others, withoutOthers(incoming)],
  )
  const winner = all.at(-1) ?? local
  return settle(local, { ...winner, others: all.slice(0, -1) })
}

const withoutOthers = (packet: Packet): Packet => ({ ...packet, others: [] })
const byPacket: Order<Packet> = (a, b) => compareText(a.timestamp, b.timestamp) || byText(a, b)
const byRedaction: Order<Packet> = (a, b) =>
  compareText(a.redacted?.at ?? '', b.redacted?.at ?? '') || byText(a, b)

/** Of each thing the last sighting, and of all things those seen last. One order decides both, so that what was
 * left out could not come back whoever is heard next. */
export function mergeReceipt(
  local: Receipt,
  incoming: Receipt,
  most: number = LIMITS.receiptItems,
): Merged<Receipt> {
  const seen = joinBy(SIGHTINGS, local.seen, incoming.seen)
  return settle(local, { repo_id: local.repo_id, seen: seen.slice(-most) })
}

const bySight: Order<Sighting> = (a, b) =>
  compareText(a.at, b.at) || compareText(a.of, b.of) || a.parts - b.parts || compareText(a.key, b.key)

export const SIGHTINGS: Joining<Sighting> = {
  key: (one) => one.key,
  join: (a, b) => maxBy(bySight, a, b),
  order: bySight,
}

function settle<T>(local: T, value: T): Merged<T> {
  return isEqual(local, value) ? { value: local, changed: false } : { value, changed: true }
}
