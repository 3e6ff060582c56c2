import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { type NamedFields, type NamedKind, namesSomething } from '../../protocol/named.ts'
import type { Env } from '../env.ts'
import { projectOf } from '../lookup.ts'
import { currentProject } from '../project/current.ts'
import type { ProjectView, View } from '../view.ts'
import {
  contractMeant,
  packetMeant,
  peerMeant,
  projectMeant,
  repoMeant,
  type Spelling,
} from './find-by-name.ts'

interface Asking extends Spelling, Pick<Env, 'caller'> {}

/** Replaces names in the params by ids; a name that nothing has stays as it is. A missing project is filled in. */
export function withIds<Params>(params: Params, fields: NamedFields, view: View, asking: Asking): Params {
  if (!namesSomething(fields) || !isJsonObject(params)) return params
  return meantBy(params, fields, { view, asking, around: undefined }) as Params
}

interface Scope {
  readonly view: View
  readonly asking: Asking
  /** The project of the enclosing object. */
  readonly around: ProjectView | undefined
}

/** Returns the same object if nothing changes: nearly all callers send ids. */
function meantBy(given: JsonObject, fields: NamedFields, scope: Scope): JsonObject {
  const own = projectIn(given, fields, scope)
  const found = own ?? scope.around
  let meant = given
  const set = (key: string, value: JsonObject[string]) => {
    if (given[key] !== value) meant = { ...meant, [key]: value }
  }
  if (fields.project !== undefined && own !== undefined) set(fields.project.key, own.project.project_id)
  for (const { key, kind } of fields.words)
    set(
      key,
      mapped(given[key], (word) => idOf(word, kind, found, scope)),
    )
  for (const { key, fields: within } of fields.inner)
    set(
      key,
      mapped(given[key], (one) =>
        isJsonObject(one) ? meantBy(one, within, { ...scope, around: found }) : one,
      ),
    )
  return meant
}

function projectIn(given: JsonObject, { project, words }: NamedFields, { view, asking, around }: Scope) {
  if (project === undefined) return undefined
  const word = given[project.key]
  if (typeof word === 'string') {
    const found = projectMeant(view, word, asking)
    // A method that needs its project reports that it is missing; one that only filters by it would return nothing.
    const isNarrowing = asking.mayShorten && !project.isNeeded
    return found ?? (isNarrowing ? projectOf(view, word, asking) : undefined)
  }
  // With a project token every call is about its project, and what is named in a project is named in the current one.
  const isNeeded = project.isNeeded && (project.unless === undefined || given[project.unless] !== true)
  const isMeant =
    isNeeded ||
    asking.caller.grant !== undefined ||
    words.some(({ key, kind }) => kind === 'contract' && given[key] !== undefined)
  return isMeant ? (around ?? currentProject(view, asking.caller, project.key)) : undefined
}

type Value = JsonObject[string]

/** Maps each item of a list; returns the same list if nothing changes. */
function mapped(value: Value, map: (one: Value) => Value): Value {
  if (!Array.isArray(value)) return map(value)
  const all = value.map(map)
  return all.some((one, index) => one !== value[index]) ? (all as Value) : value
}

function idOf(
  word: Value,
  kind: Exclude<NamedKind, 'project'>,
  found: ProjectView | undefined,
  { view, asking }: Scope,
): Value {
  if (typeof word !== 'string') return word
  if (kind === 'peer') return peerMeant(view, word, asking)?.agent_id ?? word
  if (found === undefined) return word
  if (kind === 'contract') return contractMeant(found, word, asking)?.contract_id ?? word
  if (kind === 'packet') return packetMeant(found, word, asking)?.packet_id ?? word
  return repoMeant(found, word, asking)?.name ?? word
}
