import { jsonText } from '../../protocol/json/text.ts'
import { utf8Length } from '../../protocol/text/utf8.ts'
import { renderContract, renderPacket, renderProjectHead, renderRepo } from '../render.ts'
import type { OrderedTable, ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity, RepoEntity } from '../views/entities.ts'
import { projectStatus, updatedAt } from './project.ts'

/** The lists of a project, in the order of the answer. */
export const PROJECT_PARTS = ['repos', 'contracts', 'context_history'] as const
export type ProjectPart = (typeof PROJECT_PARTS)[number]

/** The last item of the page before. */
export interface PartPlace {
  readonly part: ProjectPart
  readonly id: string
}

export interface PartsQuery {
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
  for (const { part, id, add, item } of wanted(found, query, given)) {
    bytes += utf8Length(jsonText(item, 1))
    if (last !== undefined && (count === query.limit || bytes > query.mostBytes)) {
      cut = { last, isForSize: count < query.limit }
      break
    }
    add()
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

interface Candidate extends PartPlace {
  readonly item: object
  add(): void
}

function* wanted(found: ProjectView, { parts, after }: PartsQuery, given: Given): Iterable<Candidate> {
  const begin = after === undefined ? 0 : PROJECT_PARTS.indexOf(after.part)
  for (const part of PROJECT_PARTS.slice(begin)) {
    if (!parts.includes(part)) continue
    const from = after?.part === part ? after.id : undefined
    if (part === 'repos') {
      const id = (one: RepoEntity) => one.repo_id
      yield* candidates(found.repos, { part, from, show: renderRepo, into: given.repos, id })
    } else if (part === 'contracts') {
      const id = (one: ContractEntity) => one.contract_id
      yield* candidates(found.contracts, { part, from, show: renderContract, into: given.contracts, id })
    } else {
      const id = (one: PacketEntity) => one.packet_id
      yield* candidates(found.packets, { part, from, show: renderPacket, into: given.context_history, id })
    }
  }
}

interface Listing<Value, Item> {
  readonly part: ProjectPart
  readonly from: string | undefined
  readonly into: Item[]
  show(value: Value): Item
  id(value: Value): string
}

function* candidates<Value, Item extends object>(
  shelf: OrderedTable<Value>,
  { part, from, into, show, id }: Listing<Value, Item>,
): Iterable<Candidate> {
  for (const value of shelf.oldestFirst(from)) {
    const item = show(value)
    yield { part, id: id(value), item, add: () => void into.push(item) }
  }
}

export function orderedTableOf(found: ProjectView, part: ProjectPart): OrderedTable<unknown> {
  return part === 'context_history' ? found.packets : found[part]
}

/** The number of items of each list that are not included; undefined if all are. */
function leftOut(found: ProjectView, given: Given): Record<ProjectPart, number> | undefined {
  const missing = (part: ProjectPart) => orderedTableOf(found, part).size - given[part].length
  if (PROJECT_PARTS.every((part) => missing(part) === 0)) return undefined
  return {
    repos: missing('repos'),
    contracts: missing('contracts'),
    context_history: missing('context_history'),
  }
}
