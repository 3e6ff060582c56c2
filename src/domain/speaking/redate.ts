import { isAny } from '../../protocol/collections/iterables.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, latest, parseStamp, type Stamp, stampAfter } from '../../protocol/stamp.ts'
import type { StatementName } from '../change.ts'
import { hasCertifiedId, idOpenedBy, type Opening } from '../statements/certified-id.ts'
import type { Unsigned } from '../statements/say.ts'
import { repoIdOf } from '../statements/shared-fields.ts'
import { idOf, type Statement } from '../statements/statement.ts'

/** The replacements for statements that this daemon made while its clock was ahead. */
export interface Redated {
  readonly says: readonly Unsigned[]
  /** The newest first: nothing is dropped before the statements that cite it. */
  readonly drops: readonly StatementName[]
  /** The new ids of statements and entities, by the old ones. */
  readonly ids: ReadonlyMap<string, string>
  /** How many statements are kept, because another daemon may have admitted them: they count when their time comes. */
  readonly left: number
}

interface Speaker {
  readonly now: Stamp
  /** Key id of this daemon. */
  readonly key: string
  /** The newest time of a statement by this daemon that a peer accepted. */
  readonly takenUntil: Stamp
}

/** Daemons with a correct clock refuse statements with a later time. */
export const latestAcceptedTime = (now: Stamp): Stamp => addMicros(now, LIMITS.clockAheadSeconds * 1_000_000)

/** Whether this daemon made a statement in the project whose time is too far ahead of its clock. */
export function isAhead(statements: Iterable<Statement>, speaker: Pick<Speaker, 'now' | 'key'>): boolean {
  const horizon = latestAcceptedTime(speaker.now)
  return isAny(statements, ({ key, at }) => key === speaker.key && at > horizon)
}

/**
 * Makes the statements anew that this daemon made in one project with a time too far ahead, in the same order and
 * with a correct time. `statements` come in the order of the store, each after those that it cites. Nothing is
 * replaced if another daemon may have admitted one of them: because another key cites one, has a statement as far
 * ahead, or accepted one (then this clock may be behind now). A statement that was dropped although a peer has it
 * would come back later, next to its replacement.
 */
export function redate(statements: Iterable<Statement>, { now, key, takenUntil }: Speaker): Redated {
  const all = [...statements]
  const horizon = latestAcceptedTime(now)
  const ahead = new StatementsAhead()
  for (const one of all) if (one.key === key && (one.at > horizon || ahead.isCitedBy(one))) ahead.add(one)
  const toRedate = ahead.statements
  const isLeft = (one: Statement) => {
    // A rotation cannot be made anew: it contains the new key's signature over the statement that it is under.
    if (ahead.has(one)) return one.kind === 'rotation'
    return one.key !== key && (one.at > horizon || ahead.isCitedBy(one))
  }
  if (takenUntil > horizon || toRedate.length === 0 || all.some(isLeft))
    return { says: [], drops: [], ids: new Map(), left: toRedate.length }
  const stays = all.filter((one) => !ahead.has(one))
  const times = newTimes(toRedate, stays, now)
  return {
    ...saidAnew(toRedate, times, horizon),
    drops: toRedate.map(({ project_id, id }) => ({ project_id, id })).reverse(),
    left: 0,
  }
}

/** The statements to make anew, and the entities that they open. */
class StatementsAhead {
  readonly statements: Statement[] = []
  readonly #ids = new Set<string>()
  readonly #opened = new Set<string>()

  has({ id }: Statement): boolean {
    return this.#ids.has(id)
  }

  add(one: Statement): void {
    this.statements.push(one)
    this.#ids.add(one.id)
    if (isOpening(one)) this.#opened.add(one.about)
  }

  /** Whether the statement depends on one of them, so that it cannot be admitted without them. */
  isCitedBy({ project_id, about, under = '', body }: Statement): boolean {
    if (this.#ids.size === 0) return false
    if (this.#opened.has(project_id) || this.#opened.has(about) || this.#ids.has(under)) return true
    return this.#names(body)
  }

  #names(value: Json | undefined): boolean {
    if (typeof value === 'string') return this.#ids.has(value)
    return typeof value === 'object' && value !== null && Object.values(value).some((one) => this.#names(one))
  }
}

const isOpening = ({ kind, body }: Statement): boolean =>
  kind === 'project' || kind === 'packet' || (kind === 'revision' && body['parent'] === null)

/**
 * The new times, in the order of the old ones. Each is later than all kept statements about the same entity, and not
 * earlier than the introduction.
 */
function newTimes(toRedate: readonly Statement[], stays: readonly Statement[], now: Stamp) {
  const newest = new Map<string, Stamp>()
  const said = new Map<string, Stamp>()
  for (const { about, id, at } of stays) {
    newest.set(about, latest([at, newest.get(about) ?? at]))
    said.set(id, at)
  }
  const byId = new Map<string, Stamp>()
  const byOldTime = new Map<string, Stamp>()
  const sorted = toRedate.toSorted((a, b) => compareText(a.at, b.at))
  let last = addMicros(now, -1)
  for (const { id, about, under = '', at: wrong } of sorted) {
    const before = newest.get(about)
    last = latest([
      addMicros(last, 1),
      before === undefined ? now : stampAfter(now, before),
      said.get(under) ?? now,
    ])
    byId.set(id, last)
    byOldTime.set(wrong, last)
  }
  const of = ({ id, at }: Statement): Stamp => byId.get(id) ?? at
  /** The new time for a time that a statement's body mentions: that of the last statement up to then. */
  const at = (moment: string): Stamp => {
    const exactly = byOldTime.get(moment)
    if (exactly !== undefined) return exactly
    const before = sorted.findLast((one) => one.at <= moment)
    return before === undefined ? now : of(before)
  }
  return { of, at }
}

/** Fields of bodies that hold times. */
const MOMENTS = new Set(['of', 'until', 'started_at'])

function saidAnew(toRedate: readonly Statement[], times: ReturnType<typeof newTimes>, horizon: Stamp) {
  const ids = new Map<string, string>()
  const newId = (id: string): string => ids.get(id) ?? id
  const renew = (value: Json, field = ''): Json => {
    if (typeof value === 'string') return ids.get(value) ?? momentIn(field, value)
    if (Array.isArray(value)) return value.map((one) => renew(one))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, one = null]) => [name, renew(one, name)]))
  }
  const momentIn = (field: string, value: string): string => {
    const isMoment = MOMENTS.has(field) && parseStamp(value) === value
    return isMoment && value > horizon ? times.at(value) : value
  }
  /** Sets the new id of the entity that the statement opens or names: it comes from the statement or the project id. */
  const rename = (one: Statement, anew: Omit<Opening, 'project_id'>): void => {
    const { kind, project_id, about, body } = one
    const projectId = newId(project_id)
    if (isOpening(one) && hasCertifiedId(one))
      ids.set(about, idOpenedBy(kind === 'project' ? anew : { ...anew, project_id: projectId }))
    const repo = kind === 'repo' ? body['name'] : kind === 'claim' ? body['repo_name'] : undefined
    if (typeof repo === 'string' && about === repoIdOf(project_id, repo) && projectId !== project_id)
      ids.set(about, repoIdOf(projectId, repo))
  }
  const says = toRedate.map((one): Unsigned => {
    const { id, sig, under, about, project_id, ...said } = one
    const anew = {
      ...said,
      ...(under === undefined ? {} : { under: newId(under) }),
      at: times.of(one),
      body: renew(one.body) as JsonObject,
    }
    rename(one, anew)
    const renewed = { ...anew, project_id: newId(project_id), about: newId(about) }
    ids.set(id, idOf(renewed))
    return { ...renewed, id: newId(id) }
  })
  return { says, ids }
}
