import { Fault } from '../../../protocol/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { PlainConversation } from './conversation.ts'

/** What is looked at of one peer. Who lists more is not believed to have come to an end at all. */
const MOST_PROJECTS = 10_000
const MOST_PAGES = 1000

/** The ids of all projects that a plain peer has. */
export async function listProjects(conversation: Pick<PlainConversation, 'ask'>): Promise<Set<string>> {
  const listed = new Set<string>()
  let cursor: Json | undefined
  let pages = 0
  do {
    if (++pages > MOST_PAGES || listed.size > MOST_PROJECTS)
      throw new Fault('unavailable', `It lists more than ${MOST_PROJECTS} projects or ${MOST_PAGES} pages`)
    const { result, error } = await conversation.ask(
      'cacp/project/list',
      cursor === undefined ? {} : { cursor },
    )
    if (error !== undefined) throw new Fault('unavailable', `It does not list its projects: ${error.message}`)
    const before = listed.size
    for (const id of idsIn(result['projects'], ['projectId', 'project_id'])) listed.add(id)
    // Only peers that page have a next page; one that repeats itself has none.
    cursor = listed.size > before ? result['nextCursor'] : undefined
  } while (typeof cursor === 'string' || listed.size > MOST_PROJECTS)
  return listed
}

export const objectsIn = (list: unknown): JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : []

export const idsIn = (list: unknown, keys: readonly string[]): string[] =>
  objectsIn(list).flatMap((one) => {
    const id = keys.map((key) => one[key]).find((value) => typeof value === 'string')
    return typeof id === 'string' ? [id] : []
  })
