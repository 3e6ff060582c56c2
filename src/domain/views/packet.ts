import { latest } from '../../protocol/stamp.ts'
import { bodyOf, contentOf } from '../statements/kind.ts'
import { packet as packetKind } from '../statements/packet.ts'
import { redaction as redactionKind } from '../statements/redaction.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { byOf, redactedBy } from './by.ts'
import type { Speakers } from './speakers.ts'
import { byOpening } from './versions.ts'

/** An unsigned id can be given to several packets; all replicas choose the same one of them. */
function openingPacket(packets: readonly Statement[], speakers: Speakers): Statement | undefined {
  const candidates = packets.map((statement) => ({ ...speakers.authorshipOf(statement), statement }))
  const [first] = candidates.sort((a, b) => Number(b.counts) - Number(a.counts) || byOpening(a, b))
  return first?.statement
}

/** A packet whose author's claim does not count is listed with a mark. */
export function foldPacket(
  packets: readonly Statement[],
  redactions: readonly Statement[],
  speakers: Speakers,
) {
  const statement = openingPacket(packets, speakers)
  if (statement === undefined) return undefined
  const { type, related_contracts, reply_to } = bodyOf(packetKind, statement)
  const [first] = redactions
    .filter((one) => bodyOf(redactionKind, one).of === statement.id && speakers.authorshipOf(one).counts)
    .sort(byTime)
  const redacted = first === undefined ? null : redactedBy(first, speakers)
  return {
    packet_id: statement.about,
    /** Whether its author spoke for that repo at the time. Otherwise it is listed and has no other effect. */
    counts: speakers.authorshipOf(statement).counts,
    type,
    /** Null when it was redacted. */
    content: redacted === null ? (contentOf(packetKind, statement) ?? null) : null,
    related_contracts,
    reply_to,
    redacted,
    updated_at: latest([statement.at, ...(redacted === null ? [] : [redacted.at])]),
    ...byOf(statement, speakers),
  }
}
