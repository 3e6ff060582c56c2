import * as z from 'zod'
import { remarksIn } from '../../domain/context/decision.ts'
import { threadOf } from '../../domain/context/thread.ts'
import { Delivery, deliveriesIn } from '../../domain/delivery/delivery.ts'
import { isLocal } from '../../domain/delivery/receipt.ts'
import { contractOf, packetOf, projectOf } from '../../domain/lookup.ts'
import { renderPacket } from '../../domain/render.ts'
import { revokedMarker } from '../../domain/speaking/revoked-authors.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { PacketEntity } from '../../domain/views/entities.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import { ContractWord, PacketWord, ProjectWord } from '../../protocol/named.ts'
import { parseStamp, type Stamp } from '../../protocol/stamp.ts'
import { ContextType, Id, listOf, Order } from '../../protocol/words.ts'
import { fillPage, PageSize } from '../page.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'
import { PacketShape } from '../shapes.ts'

export const list = method({
  name: 'cacp/context/list',
  summary: 'List the newest context packets of a project, the oldest or the newest of them first.',
  ...readsProject,
  params: z.object({
    projectId: ProjectWord,
    type: ContextType.optional(),
    contractId: ContractWord.optional(),
    since: z.string().max(40).optional().describe('ISO 8601; only packets after this moment'),
    before: Id.optional().describe('a packet; only packets older than it, to page back'),
    order: Order.describe(
      'of those that are listed, which are always the newest: the oldest or the newest first',
    ),
    limit: PageSize.default(50),
  }),
  result: z.object({
    packets: z.array(PacketShape),
    delivery: z
      .record(z.string(), listOf(Delivery))
      .optional()
      .describe('by packet_id: how far the newest have come; to the agents of this daemon only'),
    truncated: z.boolean().optional().describe('more would exceed 1 MiB: page back with before'),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId, contractId: EXAMPLE.contractId, limit: 10 },
    result: { packets: [EXAMPLE.packet], delivery: { [EXAMPLE.packetId]: [EXAMPLE.delivery] } },
  },
}).decide((view, { projectId, type, contractId, since, before, order, limit }, env) => {
  const found = projectOf(view, projectId, env)
  if (contractId !== undefined) contractOf(found, contractId)
  const after = since === undefined ? undefined : parseStamp(since)
  if (since !== undefined && after === undefined)
    throw wrongField('since', 'must be an ISO 8601 time such as 2026-11-16T09:00:00Z')
  const { packets: newest, truncated } = firstOf(matching(found, { type, contractId, after, before, limit }))
  const packets = newest.reverse()
  const shown = order === 'oldest' ? packets : packets.toReversed()
  const result = {
    packets: shown.map(withRemarks(found)).map(revokedMarker(view)),
    ...(truncated ? { truncated } : {}),
  }
  if (!isLocal(env.caller)) return { result }
  const delivery = deliveriesIn(view, found, env.self).ofPackets(packets)
  return { result: { ...result, delivery }, shows: { project_id: projectId, packets } }
})

/** Packets, newest first; those before the given packet, which must exist. */
export function* packetsOlderThan(found: ProjectView, before: string | undefined): Iterable<PacketEntity> {
  if (before !== undefined) packetOf(found, before)
  let isReached = before === undefined
  for (const packet of found.packets.newestFirst()) {
    if (isReached) yield packet
    else if (packet.packet_id === before) isReached = true
  }
}

interface Wanted {
  readonly type: PacketEntity['type'] | undefined
  readonly contractId: string | undefined
  readonly after: Stamp | undefined
  readonly before: string | undefined
  readonly limit: number
}

/** Newest first. */
function* matching(found: ProjectView, wanted: Wanted): Iterable<PacketEntity> {
  let left = wanted.limit
  for (const packet of packetsOlderThan(found, wanted.before)) {
    if (left === 0 || (wanted.after !== undefined && packet.timestamp <= wanted.after)) return
    if (wanted.type !== undefined && packet.type !== wanted.type) continue
    if (wanted.contractId !== undefined && !packet.related_contracts.includes(wanted.contractId)) continue
    left--
    yield packet
  }
}

export const getThread = method({
  name: 'cacp/context/getThread',
  summary:
    'Get the whole conversation that a packet belongs to, in order of time: what repos of the project replied.',
  ...readsProject,
  params: z.object({
    projectId: ProjectWord,
    packetId: PacketWord,
    after: Id.optional().describe('a packet of it; only those that come after it, to page on'),
    last: PageSize.optional().describe('only the first packet and so many of the last ones'),
  }),
  result: z.object({
    thread: z.array(PacketShape),
    left: z.int().optional().describe('with last: how many are between the first packet and those'),
    truncated: z.boolean().optional().describe('more would exceed 1 MiB: page on with after'),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId, packetId: EXAMPLE.packetId },
    result: { thread: [EXAMPLE.packet] },
  },
}).decide((view, { projectId, packetId, after, last }, env) => {
  const found = projectOf(view, projectId, env)
  const whole = threadOf(found, packetOf(found, packetId).packet_id)
  const thread = after === undefined ? whole : afterPacket(whole, after)
  const { packets, truncated } = last === undefined ? firstOf(thread) : endsOf(thread, last)
  const result = {
    thread: packets.map(withRemarks(found)).map(revokedMarker(view)),
    ...(last === undefined ? {} : { left: thread.length - packets.length }),
    ...(truncated ? { truncated } : {}),
  }
  return { result, shows: { project_id: projectId, packets } }
})

function withRemarks(found: ProjectView) {
  const remarksOn = remarksIn(found)
  return (packet: PacketEntity) => ({ ...renderPacket(packet), ...remarksOn(packet) })
}

function afterPacket(thread: readonly PacketEntity[], after: string): readonly PacketEntity[] {
  const place = thread.findIndex(({ packet_id }) => packet_id === after)
  if (place >= 0) return thread.slice(place + 1)
  throw new Fault('not_found', `after: packet ${after} is not in this conversation`, {
    next: 'Take the last packet of the page before, or leave it out to begin anew',
    data: { field: 'after' },
  })
}

/** The first packet, and as many of the last ones as are wanted and fit. */
function endsOf(thread: readonly PacketEntity[], last: number): ReturnType<typeof firstOf> {
  const [first, ...others] = thread
  if (first === undefined) return { packets: [], truncated: false }
  const { packets, truncated } = firstOf([first, ...others.slice(-last).reverse()])
  return { packets: [first, ...packets.slice(1).reverse()], truncated }
}

/** As many packets as fit into an answer, and at least one. */
function firstOf(found: Iterable<PacketEntity>): { packets: PacketEntity[]; truncated: boolean } {
  const cursorOf = ({ packet_id }: PacketEntity) => packet_id
  const { values, rest } = fillPage(found, undefined, { cursorOf, render: renderPacket })
  return { packets: values, truncated: rest.truncated === true }
}
