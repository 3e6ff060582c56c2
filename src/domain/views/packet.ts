import { latest } from '../../protocol/stamp.ts'
import { bodyOf, contentOf } from '../statements/kind.ts'
import { packet as packetKind } from '../statements/packet.ts'
import type { Statement } from '../statements/statement.ts'
import { byOf } from './by.ts'
import type { PacketEntity } from './entities.ts'
import { redactionsIn } from './redactions.ts'
import type { Speakers } from './speakers.ts'
import { byOpening } from './versions.ts'

/** What was said about one packet. One whose author's claim does not count stays visible, with a mark. */
export interface SaidOfPacket {
  readonly packets: readonly Statement[]
  readonly redactions: readonly Statement[]
}

/** An id that nobody signed may be given to several, of which one is held to everywhere. */
function openingPacket(packets: Iterable<Statement>, speakers: Speakers): Statement | undefined {
  const words = [...packets].map((statement) => ({ ...speakers.wordOf(statement), statement }))
  const [first] = words.sort((a, b) => Number(b.counts) - Number(a.counts) || byOpening(a, b))
  return first?.statement
}

export function foldPacket(
  { packets, redactions }: SaidOfPacket,
  speakers: Speakers,
): PacketEntity | undefined {
  const statement = openingPacket(packets, speakers)
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
