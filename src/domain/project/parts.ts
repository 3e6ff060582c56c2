import { jsonText } from '../../protocol/json/text.ts'
import { utf8Length } from '../../protocol/text/utf8.ts'
import { renderContract, renderPacket, renderProjectHead, renderRepo } from '../render.ts'
import type { OrderedTable, ProjectView } from '../view.ts'
import { projectStatus, updatedAt } from './project.ts'

/** The lists of a project, in the order of the answer. */
export const PROJECT_PARTS = ['repos', 'contracts', 'context_history'] as const
export type ProjectPart = (typeof PROJECT_PARTS)[number]

/** The last item of the page before. */
export interface PartPlace {
  readonly part: ProjectPart
  readonly id: string
}

interface PartsQuery {
  readonly parts: readonly ProjectPart[]
  /** Most items of all lists together. */
  readonly limit: number
  /** Most bytes of JSON text; at least one item is returned even if it is larger. */
  readonly mostBytes: number
  readonly after?: PartPlace | undefined
}

/** A project with the wanted items of its lists that fit, oldest first. */
export function renderParts(found: ProjectView, query: PartsQuery) {
  const given: Given = { repos: [], contracts: [], context_history: [] }
  let count = 0
  let bytes = 0
  let last: PartPlace | undefined
  let cut: { readonly last: PartPlace; readonly isForSize: boolean } | undefined
  for (const { part, id, item } of wanted(found, query)) {
    bytes += utf8Length(jsonText(item, 1))
    if (last !== undefined && (count === query.limit || bytes > query.mostBytes)) {
      cut = { last, isForSize: count < query.limit }
      break
    }
    const list: object[] = given[part]
    list.push(item)
    count++
    last = { part, id }
  }
  const project = {
    ...renderProjectHead(found.project),
    status: projectStatus(found),
    ...given,
    updated_at: updatedAt(found),
  }
  return { project, cut, leftOut: leftOut(found, given) }
}

interface Given {
  readonly repos: ReturnType<typeof renderRepo>[]
  readonly contracts: ReturnType<typeof renderContract>[]
  readonly context_history: ReturnType<typeof renderPacket>[]
}

/** The items of the wanted lists with their ids, in the order of the answer. */
function* wanted(
  { repos, contracts, packets }: ProjectView,
  { parts, after }: PartsQuery,
): Iterable<PartPlace & { readonly item: object }> {
  const begin = after === undefined ? 0 : PROJECT_PARTS.indexOf(after.part)
  for (const part of PROJECT_PARTS.slice(begin)) {
    if (!parts.includes(part)) continue
    const from = after?.part === part ? after.id : undefined
    if (part === 'repos')
      for (const one of repos.oldestFirst(from)) yield { part, id: one.repo_id, item: renderRepo(one) }
    else if (part === 'contracts')
      for (const one of contracts.oldestFirst(from))
        yield { part, id: one.contract_id, item: renderContract(one) }
    else
      for (const one of packets.oldestFirst(from)) yield { part, id: one.packet_id, item: renderPacket(one) }
  }
}

export function orderedTableOf(found: ProjectView, part: ProjectPart): OrderedTable<unknown> {
  return part === 'context_history' ? found.packets : found[part]
}

/** The number of items of each list that are not included; undefined if all are. */
function leftOut(found: ProjectView, given: Given): Record<ProjectPart, number> | undefined {
  const missing = {
    repos: found.repos.size - given.repos.length,
    contracts: found.contracts.size - given.contracts.length,
    context_history: found.packets.size - given.context_history.length,
  }
  return Object.values(missing).every((count) => count === 0) ? undefined : missing
}
