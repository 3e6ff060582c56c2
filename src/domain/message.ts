import type { JsonObject } from '../protocol/json.ts'
import { noRepo } from './joining-advice.ts'
import { repoNamed } from './lookup.ts'
import type { ProjectView } from './view.ts'
import type { PacketEntity } from './views/entities.ts'

/** Plain words from one repo to the others, which are context like any other: a packet with a `message` in it. */

/** The content of a packet that is for some repos above all: everybody in the project sees it all the same. */
export function addressed(found: ProjectView, content: JsonObject, to: readonly string[]): JsonObject {
  for (const name of to) if (repoNamed(found, name) === undefined) throw noRepo(found, name, { field: 'to' })
  return to.length === 0 ? content : { ...content, to: [...new Set(to)] }
}

/** What a packet says in plain words, where it does, was not taken back, and its author speaks for its repo. */
export function messageIn({ content, counts, redacted }: PacketEntity): string | undefined {
  const message = content?.['message']
  return typeof message === 'string' && counts && redacted === null ? message : undefined
}

/** Whether a packet is for this repo by name; undefined where it names none. */
export function isAddressedTo({ content }: PacketEntity, repoName: string | undefined): boolean | undefined {
  const to = content?.['to']
  return Array.isArray(to) && to.length > 0 ? repoName !== undefined && to.includes(repoName) : undefined
}
