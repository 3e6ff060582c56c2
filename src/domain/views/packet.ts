import { latest } from '../../protocol/stamp.ts'
import { bodyOf, contentOf } from '../statements/kind.ts'
import { packet as packetKind } from '../statements/packet.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { byOf } from './by.ts'
import type { PacketEntity } from './entities.ts'
import { redactionsIn } from './redactions.ts'
import type { Speakers } from './speakers.ts'

/** What was said about one packet. One whose author's claim does not count stays visible, with a mark. */
export interface SaidOfPacket {
  readonly packets: readonly Statement[]
  readonly redactions: readonly Statement[]
}

export function foldPacket(
  { packets, redactions }: SaidOfPacket,
  speakers: Speakers,
): PacketEntity | undefined {
  // An author that gave the id to several is held to the same one everywhere.
  const [statement] = [...packets].sort(byTime)
  if (statement === undefined) return undefined
  const { type, related_contracts, reply_to } = bodyOf(packetKind, statement)
  const redacted = redactionsIn(redactions, speakers).get(statement.id) ?? null
  return {
    packet_id: statement.about,
    counts: speakers.wordOf(statement).counts,
    type,
    content: redacted === null ? (contentOf(packetKind, statement) ?? null) : null,
    related_contracts,
    reply_to,
    redacted,
    updated_at: latest([statement.at, ...(redacted === null ? [] : [redacted.at])]),
    ...byOf(statement, speakers),
  }
}
