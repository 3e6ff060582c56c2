import { compareText } from '../../protocol/json/canonical.ts'
import type { ProjectView } from '../view.ts'
import type { PacketEntity } from '../views/entities.ts'

/**
 * Most replies between a packet and the question that it counts for. It bounds the cost of a packet that arrives
 * above or below many others, and ends circular replies.
 */
export const MOST_REPLIES_DEEP = 200

/** Whether a repo of the project said it: packets that do not count, or of an unknown repo, are no replies. */
export const isOfMember = ({ repos }: ProjectView, { repo_id, counts }: PacketEntity): boolean =>
  counts && repos.get(repo_id) !== undefined

/** The packet at the top of a packet's thread and all replies of members, in order of time; empty if it is unknown. */
export function threadOf(found: ProjectView, packetId: string): PacketEntity[] {
  const above = packetsAbove(found, packetId)
  const root = above.at(-1)
  if (root === undefined) return []
  const thread = new Map(above.map((packet) => [packet.packet_id, packet]))
  for (const reply of repliesBelow(found, root))
    if (isOfMember(found, reply)) thread.set(reply.packet_id, reply)
  return [...thread.values()].sort(byPacketTime)
}

export const byPacketTime = (a: PacketEntity, b: PacketEntity): number =>
  compareText(a.timestamp, b.timestamp) || compareText(a.packet_id, b.packet_id)

/** A packet and those that it replies to, nearest first; circular replies are followed once. */
export function packetsAbove(
  { packets }: ProjectView,
  packetId: string,
  most = Number.POSITIVE_INFINITY,
): PacketEntity[] {
  const above = new Set<PacketEntity>()
  for (let id: string | null = packetId; id !== null && above.size < most; ) {
    const packet = packets.get(id)
    if (packet === undefined || above.has(packet)) break
    above.add(packet)
    id = packet.reply_to
  }
  return [...above]
}

/** All replies below a packet, down to this many levels; nearest first, each once. */
export function* repliesBelow(
  found: ProjectView,
  { packet_id }: PacketEntity,
  levels = Number.POSITIVE_INFINITY,
): Iterable<PacketEntity> {
  const seen = new Set([packet_id])
  let level = [packet_id]
  for (let depth = 0; depth < levels && level.length > 0; depth++) {
    const next: string[] = []
    for (const id of level)
      for (const reply of found.repliesTo(id)) {
        if (seen.has(reply.packet_id)) continue
        seen.add(reply.packet_id)
        next.push(reply.packet_id)
        yield reply
      }
    level = next
  }
}

/** The answer to a packet: the first reply by another repo, or decision by any. Undefined while there is none. */
export function answerTo(found: ProjectView, asked: PacketEntity): PacketEntity | undefined {
  let first: PacketEntity | undefined
  for (const reply of repliesBelow(found, asked, MOST_REPLIES_DEEP))
    if (answers(found, reply, asked) && (first === undefined || reply.timestamp < first.timestamp))
      first = reply
  return first
}

const answers = (found: ProjectView, reply: PacketEntity, asked: PacketEntity): boolean =>
  reply.redacted === null &&
  (reply.repo_id !== asked.repo_id || reply.type === 'decision') &&
  isOfMember(found, reply)

/** The ids of this packet and of those that it may answer, for whoever waits for one of them. */
export function idsConcerned(found: ProjectView, packet: PacketEntity): string[] {
  const [, ...above] = packetsAbove(found, packet.packet_id, MOST_REPLIES_DEEP + 1)
  return [packet, ...above.filter((asked) => answers(found, packet, asked))].map(({ packet_id }) => packet_id)
}
