import { compareText } from '../protocol/canonical.ts'
import type { Packet } from './model.ts'
import type { ProjectView } from './view.ts'

/** The whole reply tree around a packet, in order of time; empty when there is no such packet. */
export function threadOf(found: ProjectView, packetId: string): Packet[] {
  const root = rootOf(found, packetId)
  if (root === undefined) return []
  const thread = new Map([[root.packet_id, root]])
  const waiting = [root]
  for (let packet = waiting.pop(); packet !== undefined; packet = waiting.pop()) {
    for (const reply of found.repliesTo(packet.packet_id)) {
      if (thread.has(reply.packet_id)) continue
      thread.set(reply.packet_id, reply)
      waiting.push(reply)
    }
  }
  return [...thread.values()].sort(
    (a, b) => compareText(a.timestamp, b.timestamp) || compareText(a.packet_id, b.packet_id),
  )
}

/** The first packet of the conversation. A peer may send replies that form a ring: then the one asked for. */
function rootOf({ packets }: ProjectView, packetId: string): Packet | undefined {
  const seen = new Set<string>()
  let packet = packets.get(packetId)
  while (packet !== undefined && packet.reply_to !== null) {
    if (seen.has(packet.packet_id)) return packets.get(packetId)
    seen.add(packet.packet_id)
    const above = packets.get(packet.reply_to)
    if (above === undefined) return packet
    packet = above
  }
  return packet
}

/**
 * What answers a packet: the first that another repo says in the conversation below it, or a decision of anybody.
 * Undefined while there is none.
 */
export function answerTo(found: ProjectView, asked: Packet): Packet | undefined {
  const seen = new Set([asked.packet_id])
  const waiting = [asked]
  let first: Packet | undefined
  for (let packet = waiting.pop(); packet !== undefined; packet = waiting.pop()) {
    for (const reply of found.repliesTo(packet.packet_id)) {
      if (seen.has(reply.packet_id)) continue
      seen.add(reply.packet_id)
      waiting.push(reply)
      const answers =
        reply.redacted === null && (reply.from_repo !== asked.from_repo || reply.type === 'decision')
      if (answers && (first === undefined || reply.timestamp < first.timestamp)) first = reply
    }
  }
  return first
}

/** The ids of the packets that this one is below of, its own among them. */
export function idsAbove({ packets }: ProjectView, packet: Packet): Set<string> {
  const ids = new Set([packet.packet_id])
  for (let above: Packet | undefined = packet; above !== undefined && above.reply_to !== null; ) {
    if (ids.has(above.reply_to)) break
    ids.add(above.reply_to)
    above = packets.get(above.reply_to)
  }
  return ids
}
