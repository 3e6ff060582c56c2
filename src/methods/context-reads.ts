import { z } from 'zod'
import { Deliveries } from '../domain/delivery.ts'
import { contractOf, packetOf, projectOf } from '../domain/lookup.ts'
import type { Packet } from '../domain/model.ts'
import { isLocalAgent } from '../domain/receipt.ts'
import { renderPacket } from '../domain/render.ts'
import { threadOf } from '../domain/thread.ts'
import type { ProjectView } from '../domain/view.ts'
import { Fault } from '../protocol/fault.ts'
import { jsonText } from '../protocol/json-text.ts'
import { LIMITS } from '../protocol/limits.ts'
import { parseStamp } from '../protocol/stamp.ts'
import { ContextType, Id } from '../protocol/words.ts'
import {
  EXAMPLE_CONTRACT_ID,
  EXAMPLE_DELIVERY,
  EXAMPLE_PACKET,
  EXAMPLE_PACKET_ID,
  EXAMPLE_PROJECT_ID,
} from './examples.ts'
import { method } from './row.ts'
import { DeliveryShape, PacketShape } from './shapes.ts'

export const list = method({
  name: 'cacp/context/list',
  summary: 'List the newest context packets of a project, the oldest of them first.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: Id,
    type: ContextType.optional(),
    contractId: Id.optional(),
    since: z.string().max(40).optional().describe('ISO 8601; only packets after this moment'),
    before: Id.optional().describe('a packet; only packets older than it, to page back'),
    limit: z.int().min(1).max(LIMITS.pageItems).default(50),
  }),
  result: z.object({
    packets: z.array(PacketShape),
    delivery: z
      .record(z.string(), z.array(DeliveryShape).readonly())
      .optional()
      .describe('by packet_id: how far the newest have come; to the agents of this daemon only'),
    truncated: z.boolean().optional().describe('more would exceed 1 MiB: page back with before'),
  }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, contractId: EXAMPLE_CONTRACT_ID, limit: 10 },
    result: { packets: [EXAMPLE_PACKET], delivery: { [EXAMPLE_PACKET_ID]: [EXAMPLE_DELIVERY] } },
  },
}).decide((view, { projectId, type, contractId, since, before, limit }, env) => {
  const found = projectOf(view, projectId, env)
  if (contractId !== undefined) contractOf(found, contractId)
  const after = since === undefined ? undefined : parseStamp(since)
  if (since !== undefined && after === undefined)
    throw new Fault('invalid_params', 'since: must be an ISO 8601 time such as 2026-11-16T09:00:00Z', {
      data: { field: 'since' },
    })
  const taken: Packet[] = []
  let bytes = 0
  let truncated = false
  for (const packet of olderThan(found, before)) {
    if (taken.length === limit || (after !== undefined && packet.timestamp <= after)) break
    if (type !== undefined && packet.type !== type) continue
    if (contractId !== undefined && !packet.related_contracts.includes(contractId)) continue
    bytes += jsonText(renderPacket(packet)).length
    truncated = bytes > LIMITS.answerBytes && taken.length > 0
    if (truncated) break
    taken.push(packet)
  }
  const packets = taken.reverse()
  const result = { packets: packets.map(renderPacket), ...(truncated ? { truncated } : {}) }
  if (!isLocalAgent(env.caller)) return { result }
  const delivery = new Deliveries(view, found, env.self).ofPackets(packets)
  return { result: { ...result, delivery }, shows: { project_id: projectId, packets } }
})

/** Newest first, from just before the given packet on. */
function* olderThan(found: ProjectView, before: string | undefined): Iterable<Packet> {
  let isReached = before === undefined || packetOf(found, before) === undefined
  for (const packet of found.packets.newestFirst()) {
    if (isReached) yield packet
    else if (packet.packet_id === before) isReached = true
  }
}

export const getThread = method({
  name: 'cacp/context/getThread',
  summary: 'Get the whole conversation that a packet belongs to, in order of time.',
  access: 'read',
  permission: 'project:read',
  params: z.object({ projectId: Id, packetId: Id }),
  result: z.object({ thread: z.array(PacketShape) }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, packetId: EXAMPLE_PACKET_ID },
    result: { thread: [EXAMPLE_PACKET] },
  },
}).decide((view, { projectId, packetId }, env) => {
  const packets = threadOf(projectOf(view, projectId, env), packetId)
  return { result: { thread: packets.map(renderPacket) }, shows: { project_id: projectId, packets } }
})
