import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { repoNamed } from '../lookup.ts'
import { noRepo } from '../project/joining-advice.ts'
import { repoIdOf } from '../statements/shared-fields.ts'
import type { ProjectView } from '../view.ts'
import type { PacketEntity } from '../views/entities.ts'

/** A message is a packet whose content has a `message` field, and so is context like any other. */

/** The content of a packet that is addressed to some repos; everybody in the project sees it all the same. */
export function addressed(found: ProjectView, content: JsonObject, to: readonly string[]): JsonObject {
  for (const name of to) if (repoNamed(found, name) === undefined) throw noRepo(found, name, { field: 'to' })
  return to.length === 0 ? content : { ...content, to: [...new Set(to)] }
}

/** The message of a packet; undefined if it has none, was redacted, or does not count. */
export function messageIn(packet: PacketEntity): string | undefined {
  const message = packet.content?.['message']
  return typeof message === 'string' && isPacketInEffect(packet) ? message : undefined
}

/** Whether the packet was not redacted and its author speaks for its repo. */
export const isPacketInEffect = ({ redacted, counts }: PacketEntity): boolean => counts && redacted === null

/**
 * The ids of the other repos that a packet is addressed to, also of repos that are not named in the project yet. A
 * question is for everybody, even if it names repos.
 */
export function addresseesOf(packet: PacketEntity, projectId: string): string[] {
  const to = packet.content?.['to']
  if (packet.type === 'question' || !Array.isArray(to) || !isPacketInEffect(packet)) return []
  const names = new Set(to.slice(0, LIMITS.listItems).filter((name) => typeof name === 'string'))
  return Array.from(names, (name) => repoIdOf(projectId, name)).filter((id) => id !== packet.repo_id)
}

/** Whether a packet is addressed to this repo; undefined if it is addressed to none. */
export function isAddressedTo({ content }: PacketEntity, repoName: string | undefined): boolean | undefined {
  const to = content?.['to']
  return Array.isArray(to) && to.length > 0 ? repoName !== undefined && to.includes(repoName) : undefined
}
