import type { JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { repoNamed } from '../lookup.ts'
import { noRepo } from '../project/joining-advice.ts'
import { repoIdOf } from '../statements/shared-fields.ts'
import type { ProjectView } from '../view.ts'
import type { PacketEntity } from '../views/entities.ts'

/** Plain words from one repo to the others, which are context like any other: a packet with a `message` in it. */

/** The content of a packet that is for some repos above all: everybody in the project sees it all the same. */
export function addressed(found: ProjectView, content: JsonObject, to: readonly string[]): JsonObject {
  for (const name of to) if (repoNamed(found, name) === undefined) throw noRepo(found, name, { field: 'to' })
  return to.length === 0 ? content : { ...content, to: [...new Set(to)] }
}

/** What a packet says in plain words, where it does, was not taken back, and its author speaks for its repo. */
export function messageIn(packet: PacketEntity): string | undefined {
  const message = packet.content?.['message']
  return typeof message === 'string' && isHeard(packet) ? message : undefined
}

/** What was taken back, or said in the name of a repo that its author does not speak for, is nobody's word. */
export const isHeard = ({ redacted, counts }: PacketEntity): boolean => counts && redacted === null

/**
 * The ids of the other repos that a packet is for by name, also of those that nobody has named in the project yet. A
 * question is for everybody, whomever it names.
 */
export function addresseesOf(packet: PacketEntity, projectId: string): string[] {
  const to = packet.content?.['to']
  if (packet.type === 'question' || !Array.isArray(to) || !isHeard(packet)) return []
  const names = new Set(to.slice(0, LIMITS.listItems).filter((name) => typeof name === 'string'))
  return Array.from(names, (name) => repoIdOf(projectId, name)).filter((id) => id !== packet.repo_id)
}

/** Whether a packet is for this repo by name; undefined where it names none. */
export function isAddressedTo({ content }: PacketEntity, repoName: string | undefined): boolean | undefined {
  const to = content?.['to']
  return Array.isArray(to) && to.length > 0 ? repoName !== undefined && to.includes(repoName) : undefined
}
