import { isReady } from '../../domain/contract/dependencies.ts'
import {
  hasFailed,
  isListed,
  type ListedContract,
  type ListFilter,
  listedOf,
  searchedName,
} from '../../domain/contract/listed.ts'
import { repoName } from '../../domain/contract/next-step.ts'
import { reposOf } from '../../domain/contract/parties.ts'
import { type Deliveries, deliveriesIn, leastFar } from '../../domain/delivery/delivery.ts'
import { isLocal } from '../../domain/delivery/receipt.ts'
import type { Env } from '../../domain/env.ts'
import { maySee, membership, projectOf, repoNamed } from '../../domain/lookup.ts'
import { noRepo } from '../../domain/project/joining-advice.ts'
import { renderInForce } from '../../domain/render.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { mergeSorted } from '../../protocol/collections/merge-sorted.ts'
import { addMicros, parseStamp } from '../../protocol/stamp.ts'
import type { ContractStatus } from '../../protocol/words.ts'
import { fillPage, unknownCursor } from '../page.ts'
import { dependenciesIn } from './fields.ts'
import type { ContractCounts, ContractSummary, ListQuery } from './list.ts'
import type { ChangePlace, ContractIndex, ContractScope, ContractTally } from './service.ts'
import { NO_CONTRACTS } from './tallies.ts'

interface Reading {
  readonly view: View
  readonly env: Env
  /** Missing where neither the order nor the details need it. */
  readonly index?: ContractIndex
}

/** One page of a list of contracts; with details, the counts of the whole list. */
export function contractPage(query: ListQuery, { view, env, index }: Reading) {
  const { status, limit, cursor, details } = query
  // Missing with allProjects, except for a project token, which always asks about its own project.
  const only = query.projectId === undefined ? undefined : projectOf(view, query.projectId, env)
  const listing = createListing(query, only, { view, env })
  const isByChange = query.order === 'newest' && index !== undefined
  const source = isByChange ? listing.newestFirst(index, cursor) : oldestFirst(only, cursor)
  const { items, rest } = fillPage(source, limit, {
    cursorOf: (one) => (isByChange ? textOfPlace(one) : one.contractId),
    render: (one) => (listing.isWanted(one, status) ? listing.render(one, status) : undefined),
  })
  const counts = details && index !== undefined ? { counts: listing.counts(index) } : {}
  return { contracts: items, ...counts, ...rest }
}

const isLater = (a: ChangePlace, b: ChangePlace): boolean =>
  a.since === b.since ? a.id > b.id : a.since > b.since

function* oldestFirst(found: ProjectView | undefined, cursor: string | undefined): Iterable<ListedContract> {
  if (found === undefined) return
  const { project, contracts } = found
  if (cursor !== undefined && contracts.get(cursor) === undefined) throw unknownCursor(cursor)
  for (const contract of contracts.oldestFirst(cursor)) yield listedOf(project.project_id, contract)
}

/**
 * A cursor in the order of changes is the place itself. So the pages that follow are the same whatever became of the
 * contract that was there: what changes moves to the front, and nothing is shown twice.
 */
const textOfPlace = ({ since, id }: ChangePlace): string => `${since}~${id.replace(' ', '~')}`

function placeIn(cursor: string): ChangePlace {
  const [time = '', contractId = '', projectId = '', ...more] = cursor.split('~')
  const since = parseStamp(time)
  if (since === undefined || contractId === '' || projectId === '' || more.length > 0)
    throw unknownCursor(cursor)
  return { since, id: `${contractId} ${projectId}` }
}

interface ListedProject {
  readonly found: ProjectView
  /** The repo that the caller acts for. */
  readonly ownRepo: string | undefined
  /** Ids of the repos that must have a say. */
  readonly repos: readonly string[]
  /** Missing where the caller may not see them. */
  readonly deliveries: Deliveries | undefined
}

const MINUTE_MICROS = 60 * 1_000_000

/**
 * Which contracts a caller asked for, and how they are shown. What depends on a project is worked out once for it;
 * `only` is the one that is listed alone.
 */
function createListing(query: ListQuery, only: ProjectView | undefined, { view, env }: Reading) {
  const { type, q, stuckMinutes, includeWithdrawn, ready, mine, repo, with: other } = query
  const filter: ListFilter = {
    type,
    text: q === undefined ? undefined : searchedName(q),
    stuckSince: stuckMinutes === undefined ? undefined : addMicros(env.now, -stuckMinutes * MINUTE_MICROS),
    includeWithdrawn,
  }
  /** Null for a project in which nothing is listed. */
  const projects = new Map<string, ListedProject | null>()
  return { isWanted, render, newestFirst, counts }

  /** Whether the caller asked for it and may see it; without a status, those of every status. */
  function isWanted(one: ListedContract, status: ContractStatus = one.status): boolean {
    if (status !== one.status || !isListed(one, filter)) return false
    const project = listedProject(one.projectId)
    if (project === null || !project.repos.every((id) => one.repos.includes(id))) return false
    if (!ready) return true
    const contract = project.found.contracts.get(one.contractId)
    return contract !== undefined && isReady(project.found, contract)
  }

  /** Undefined if it has become another since it was indexed, and is not wanted any more. */
  function render({ projectId, contractId }: ListedContract, status: ContractStatus | undefined) {
    const project = listedProject(projectId)
    const contract = project?.found.contracts.get(contractId)
    if (project === null || contract === undefined) return undefined
    if (!isWanted(listedOf(projectId, contract), status)) return undefined
    const row: ContractSummary = summarize(contract, project.found)
    return query.details ? { ...row, ...detailsOf(contract, project) } : row
  }

  function newestFirst(index: ContractIndex, cursor: string | undefined): Iterable<ListedContract> {
    const before = cursor === undefined ? undefined : placeIn(cursor)
    const lists = scopes().map((scope) => index.newestFirst(scope, before))
    return mergeSorted(lists, isLater)
  }

  /** The parts of the index that have all contracts of the list. */
  function scopes(): readonly ContractScope[] {
    if (repo === undefined && other === undefined && !mine) return [{ projectId: only?.project.project_id }]
    return Array.from(only === undefined ? view.projects.oldestFirst() : [only], ({ project }) => {
      const projectId = project.project_id
      const listed = listedProject(projectId)
      return listed === null ? [] : [{ projectId, repoId: listed.repos[0] }]
    }).flat()
  }

  /** By status, whatever the status that was asked for. */
  function counts(index: ContractIndex): ContractCounts {
    const byStatus = { ...NO_CONTRACTS }
    for (const scope of scopes()) {
      if (isTallied(scope)) {
        for (const tally of index.tallies(scope)) if (isCounted(tally)) byStatus[tally.status] += tally.count
      } else for (const one of index.all(scope)) if (isWanted(one)) byStatus[one.status]++
    }
    return byStatus
  }

  /** Whether the contracts are counted already by all that was asked for. */
  function isTallied({ projectId = '', repoId }: ContractScope): boolean {
    if (q !== undefined || stuckMinutes !== undefined || ready) return false
    return repoId === undefined || listedProject(projectId)?.repos.length === 1
  }

  function isCounted(tally: ContractTally): boolean {
    if (tally.isWithdrawn && !includeWithdrawn) return false
    return (type ?? tally.type) === tally.type && listedProject(tally.projectId) !== null
  }

  function listedProject(projectId: string): ListedProject | null {
    const known = projects.get(projectId)
    if (known !== undefined) return known
    const project = lookUp(projectId)
    projects.set(projectId, project)
    return project
  }

  function lookUp(projectId: string): ListedProject | null {
    const found = only ?? view.projects.get(projectId)
    if (found === undefined || found.project.project_id !== projectId || !maySee(found, env.caller))
      return null
    if (only === undefined && found.project.archived) return null
    const ownRepo = membership(found, env)?.repo.repo_id
    const repos = reposIn(found, ownRepo)
    if (repos === null) return null
    const deliveries = isLocal(env.caller) ? deliveriesIn(view, found, env.self) : undefined
    return { found, ownRepo, repos, deliveries }
  }

  /** Null where one of the repos is none of the project; refused if only this project was asked for. */
  function reposIn(found: ProjectView, ownRepo: string | undefined): readonly string[] | null {
    const ids: string[] = []
    for (const [field, name] of Object.entries({ repo, with: other })) {
      if (name === undefined) continue
      const named = repoNamed(found, name)
      if (named !== undefined) ids.push(named.repo_id)
      else if (only === undefined) return null
      else throw noRepo(found, name, { field })
    }
    if (!mine) return ids
    return ownRepo === undefined ? null : [...ids, ownRepo]
  }
}

function summarize(contract: ContractEntity, found: ProjectView): ContractSummary {
  const { contract_id, type, name, head, status, updated_at, is_withdrawn, is_retired } = contract
  const { objections, unanswered } = contract
  return {
    contractId: contract_id,
    contract_id,
    projectId: found.project.project_id,
    project: found.project.name,
    type,
    name,
    version: head.version,
    status,
    proposedBy: head.repo_id,
    updatedAt: updated_at,
    inForce: renderInForce(contract),
    objections,
    unanswered,
    needed: head.needed,
    conflictCount: contract.conflicts.length,
    ...dependenciesIn(found, contract),
    ...(hasFailed(contract) ? { failed: true } : {}),
    ...(head.retire && !head.is_agreed ? { endProposed: true } : {}),
    ...(is_withdrawn ? { withdrawn: true } : {}),
    ...(is_retired ? { retired: true } : {}),
  }
}

function detailsOf(
  contract: ContractEntity,
  { found, ownRepo, deliveries }: ListedProject,
): Pick<ContractSummary, 'mine' | 'parties' | 'delivery'> {
  const repos = reposOf(contract.head)
  const delivery = deliveries && leastFar(deliveries.ofContract(contract))
  return {
    mine: ownRepo !== undefined && repos.includes(ownRepo),
    parties: repos.map((repoId) => ({
      repoId,
      repo: repoName(found, repoId),
      answer: answerOf(contract, repoId),
    })),
    ...(delivery === undefined ? {} : { delivery }),
  }
}

function answerOf({ head, answers }: ContractEntity, repoId: string) {
  const answer = answers.find(({ repo_id }) => repo_id === repoId)?.action
  return answer ?? (head.repo_id === repoId ? 'proposed' : null)
}
