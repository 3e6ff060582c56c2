import { compareText } from '../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, latest, parseStamp, type Stamp, stampAfter } from '../../protocol/stamp.ts'
import type { StatementName } from '../change.ts'
import { idOpenedBy, type Opening, opensItsOwn } from '../statements/certified-id.ts'
import type { Unsigned } from '../statements/say.ts'
import { idOf, type Statement } from '../statements/statement.ts'
import { repoIdOf } from '../statements/words.ts'

/** What a daemon says in the place of what it said while its clock was ahead. */
export interface SaidAgain {
  readonly says: readonly Unsigned[]
  /** The last one first: nothing is dropped before what cites it. */
  readonly drops: readonly StatementName[]
  /** The new ids of statements and entities, by the old ones. */
  readonly ids: ReadonlyMap<string, string>
  /** How many are left as they are, because somebody else may have admitted them: they count when it is their time. */
  readonly left: number
}

interface Speaker {
  readonly now: Stamp
  /** The key of this daemon. */
  readonly key: string
  /** The newest time of what others took of it. */
  readonly takenUntil: Stamp
}

/** Nobody whose clock is right takes what is stamped later than this. */
export const horizonOf = (now: Stamp): Stamp => addMicros(now, LIMITS.clockAheadSeconds * 1_000_000)

/** Whether this daemon said something in a project that is beyond its clock. */
export function isAhead(
  statements: Iterable<Statement>,
  { now, key }: Pick<Speaker, 'now' | 'key'>,
): boolean {
  const horizon = horizonOf(now)
  for (const one of statements) if (one.key === key && one.at > horizon) return true
  return false
}

/**
 * Says again what this daemon said in one project beyond its clock, in the same order and with the right time. The
 * statements come as they are kept, each after what it cites. Where a key that is not ours spoke of them, or is as far
 * ahead, or took something from then, their daemon may have admitted ours, and they stay: it may as well be that the
 * clock is behind now. Were one dropped all the same that somebody has, it would come back when it is its time, beside
 * the one in its place.
 */
export function sayAgain(statements: Iterable<Statement>, { now, key, takenUntil }: Speaker): SaidAgain {
  const all = [...statements]
  const horizon = horizonOf(now)
  const ahead = new Ahead()
  for (const one of all) if (one.key === key && (one.at > horizon || ahead.isCitedBy(one))) ahead.add(one)
  const dated = ahead.statements
  const isLeft = (one: Statement) => {
    // The next key's proof is on what a rotation is under, and cannot be had again here.
    if (ahead.has(one)) return one.kind === 'rotation'
    return one.key !== key && (one.at > horizon || ahead.isCitedBy(one))
  }
  if (takenUntil > horizon || dated.length === 0 || all.some(isLeft))
    return { says: [], drops: [], ids: new Map(), left: dated.length }
  const times = new Times(
    dated,
    all.filter((one) => !ahead.has(one)),
    now,
  )
  const again = new Again(times, horizon)
  return {
    says: dated.map((one) => again.say(one)),
    drops: dated.map(({ project_id, id }) => ({ project_id, id })).reverse(),
    ids: again.ids,
    left: 0,
  }
}

/** Statements to be said again, and what they open. */
class Ahead {
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

  /** Whether nobody could take that without them. */
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

/** The right times, in the order of the wrong ones. */
class Times {
  readonly #sorted: readonly Statement[]
  readonly #byId = new Map<string, Stamp>()
  /** By the wrong time. */
  readonly #byTime = new Map<Stamp, Stamp>()
  readonly #now: Stamp

  /** Each comes after all that stays of what it is about, and not before what it is under. */
  constructor(dated: readonly Statement[], stays: readonly Statement[], now: Stamp) {
    const newest = new Map<string, Stamp>()
    const said = new Map<string, Stamp>()
    for (const { about, id, at } of stays) {
      newest.set(about, latest([at, newest.get(about) ?? at]))
      said.set(id, at)
    }
    this.#now = now
    this.#sorted = [...dated].sort((a, b) => compareText(a.at, b.at))
    let at = addMicros(now, -1)
    for (const { id, about, under = '', at: wrong } of this.#sorted) {
      const before = newest.get(about)
      at = latest([
        addMicros(at, 1),
        before === undefined ? now : stampAfter(now, before),
        said.get(under) ?? now,
      ])
      this.#byId.set(id, at)
      this.#byTime.set(wrong, at)
    }
  }

  of({ id, at }: Statement): Stamp {
    return this.#byId.get(id) ?? at
  }

  /** Of a moment that is named in a statement: that of the last one until then. */
  at(moment: string): Stamp {
    const exactly = this.#byTime.get(moment as Stamp)
    if (exactly !== undefined) return exactly
    const last = this.#sorted.findLast(({ at }) => at <= moment)
    return last === undefined ? this.#now : this.of(last)
  }
}

/** Fields of bodies that are moments. */
const MOMENTS = new Set(['of', 'until', 'started_at'])

class Again {
  readonly ids = new Map<string, string>()
  readonly #times: Times
  readonly #horizon: Stamp

  constructor(times: Times, horizon: Stamp) {
    this.#times = times
    this.#horizon = horizon
  }

  say(one: Statement): Unsigned {
    const { id, sig, under, about, project_id, ...said } = one
    const anew = {
      ...said,
      ...(under === undefined ? {} : { under: this.#newId(under) }),
      at: this.#times.of(one),
      body: this.#renew(one.body) as JsonObject,
    }
    this.#rename(one, anew)
    const renewed = { ...anew, project_id: this.#newId(project_id), about: this.#newId(about) }
    const newId = idOf(renewed)
    this.ids.set(id, newId)
    return { ...renewed, id: newId }
  }

  /** Finds the new id of what the statement opens or names: it comes from all that is said, or from the project. */
  #rename(one: Statement, anew: Omit<Opening, 'project_id'>): void {
    const { kind, project_id, about, body } = one
    const projectId = this.#newId(project_id)
    if (isOpening(one) && opensItsOwn(one))
      this.ids.set(about, idOpenedBy(kind === 'project' ? anew : { ...anew, project_id: projectId }))
    const repo = kind === 'repo' ? body['name'] : kind === 'claim' ? body['repo_name'] : undefined
    if (typeof repo === 'string' && about === repoIdOf(project_id, repo) && projectId !== project_id)
      this.ids.set(about, repoIdOf(projectId, repo))
  }

  #newId(id: string): string {
    return this.ids.get(id) ?? id
  }

  #renew(value: Json, field = ''): Json {
    if (typeof value === 'string') return this.ids.get(value) ?? this.#momentIn(field, value)
    if (Array.isArray(value)) return value.map((one) => this.#renew(one))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one = null]) => [name, this.#renew(one, name)]),
    )
  }

  #momentIn(field: string, value: string): string {
    const isMoment = MOMENTS.has(field) && parseStamp(value) === value
    return isMoment && value > this.#horizon ? this.#times.at(value) : value
  }
}
