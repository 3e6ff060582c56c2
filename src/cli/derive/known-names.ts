import type { Client } from '../../client.ts'
import { quoted } from '../../domain/names/quoted.ts'
import { METHODS } from '../../methods/table.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { type NamedFields, namedFieldsOf } from '../../protocol/named.ts'
import type { NextCall } from '../../protocol/next-call.ts'
import { isPasteable } from '../output/printable.ts'

type Value = JsonObject[string]

/** The names of things in a call on a command line; without a name that can be pasted, a thing has its id. */
export interface KnownNames {
  /** Undefined where it need not be named. */
  project(id: string): string | undefined
  contract(id: string, projectId: string): string
  /** Of a question or message, by the id of what replies to it or its own; undefined where that is not known. */
  question?(packetId: string): string | undefined
  /** Of an item of the inbox; undefined where that is not known. */
  item?(itemId: string): string | undefined
  /** Which of the suggestions an answer makes, or the only one; undefined where that is not known. */
  suggestion?(answerId: string): number | 'only' | undefined
  /** A sentence with names in place of the ids in it. */
  inWords?(sentence: string): string
}

export const IDS: KnownNames = { project: (id) => id, contract: (id) => id }

/** The same call with names in place of ids. */
export function withNames({ method, params, ...call }: NextCall, names: KnownNames): NextCall {
  const row = METHODS.find(({ name }) => name === method)
  const told = row === undefined ? params : renamed(params, namedFieldsOf(row.params), names)
  return { ...call, method, params: told }
}

function renamed(params: JsonObject, fields: NamedFields, names: KnownNames): JsonObject {
  const { project, words, inner } = fields
  const projectId = project === undefined ? undefined : params[project.key]
  const told: Record<string, Value> = { ...params }
  if (project !== undefined && typeof projectId === 'string') {
    const name = names.project(projectId)
    if (name !== undefined || project.isNeeded) told[project.key] = name
    if (name === undefined && project.isNeeded) delete told[project.key]
    for (const { key, kind } of words)
      if (kind === 'contract' && params[key] !== undefined)
        told[key] = each(params[key], (id) => (typeof id === 'string' ? names.contract(id, projectId) : id))
  }
  for (const { key, fields: within } of inner)
    if (params[key] !== undefined)
      told[key] = each(params[key], (one) => (isJsonObject(one) ? renamed(one, within, names) : one))
  return told
}

const each = (value: Value, tell: (one: Value) => Value): Value =>
  Array.isArray(value) ? (value.map(tell) as Value) : tell(value)

const JOIN = 'cacp/project/join'

/** Asks the daemon for the names of the projects and contracts in some calls. */
export async function namesFor(client: Pick<Client, 'call'>, calls: readonly NextCall[]) {
  const projects = new Map<string, string | undefined>()
  const contracts = new Map<string, string>()
  const suggestions = new Map<string, number | 'only'>()
  const told = new Map<string, string>()
  // After a join there may be more than one project, so the line has to name it.
  const joined = new Set(calls.flatMap(({ method, params }) => (method === JOIN ? params['projectId'] : [])))
  for (const [projectId, ids] of idsIn(calls)) {
    // A contract that is not there has no name, but its project does.
    const found = await client
      .call('cacp/lookup', { projectId, contracts: [...ids] })
      .catch(() => client.call('cacp/lookup', { projectId }))
      .catch(() => undefined)
    // A daemon of an earlier version answers no names.
    if (found?.contractNames === undefined) continue
    told.set(projectId, found.projectName)
    projects.set(
      projectId,
      found.isCurrent && !joined.has(projectId) ? undefined : pasteable(found.projectName, projectId),
    )
    for (const [index, id] of [...ids].entries()) {
      const name = found.contractNames[index] ?? id
      told.set(id, name)
      contracts.set(id, pasteable(name, id))
    }
  }
  for (const [contractId, projectId] of suggestedIn(calls)) {
    const shown = await client.call('cacp/contract/get', { projectId, contractId }).catch(() => undefined)
    const open = (shown?.suggestions ?? []).filter(({ acceptable }) => acceptable)
    for (const { response_id, number } of open)
      suggestions.set(response_id, open.length === 1 ? 'only' : number)
  }
  return {
    project: (id) => (projects.has(id) ? projects.get(id) : id),
    contract: (id) => contracts.get(id) ?? id,
    suggestion: (id) => suggestions.get(id),
    inWords: (sentence) =>
      [...told].reduce(
        (said, [id, name]) => (name === id ? said : said.replaceAll(id, quoted(name, TOLD))),
        sentence,
      ),
  } satisfies KnownNames
}

/** Of a name in a sentence, with its quotes. */
const TOLD = 82

const pasteable = (name: string, id: string): string => (isPasteable(name) ? name : id)

function idsIn(calls: readonly NextCall[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const inProject = (id: string) => found.get(id) ?? found.set(id, new Set()).get(id) ?? new Set()
  const noting: KnownNames = {
    project: (id) => {
      inProject(id)
      return id
    },
    contract: (id, projectId) => {
      inProject(projectId).add(id)
      return id
    },
  }
  for (const call of calls) withNames(call, noting)
  return found
}

/** The contracts of which a suggestion is accepted, each with its project. */
const suggestedIn = (calls: readonly NextCall[]): ReadonlyMap<string, string> =>
  new Map(
    calls.flatMap(({ params: { projectId, contractId, acceptSuggestion } }): [string, string][] =>
      acceptSuggestion !== undefined && typeof projectId === 'string' && typeof contractId === 'string'
        ? [[contractId, projectId]]
        : [],
    ),
  )
