import { packetOf } from '../../domain/lookup.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'

/** Packets, newest first; those before the given packet, which must exist. */
export function* packetsOlderThan(found: ProjectView, before: string | undefined): Iterable<PacketEntity> {
  if (before !== undefined) packetOf(found, before)
  let isReached = before === undefined
  for (const packet of found.packets.newestFirst()) {
    if (isReached) yield packet
    else if (packet.packet_id === before) isReached = true
  }
}
