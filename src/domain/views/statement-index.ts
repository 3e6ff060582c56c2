import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { EARLIEST, latest, type Stamp } from '../../protocol/stamp.ts'
import { isRegister, placeKeyOf } from '../statements/kinds.ts'
import type { Statement } from '../statements/statement.ts'

/** A statement as it is kept. */
export interface Kept {
  readonly statement: Statement
  /** Size of its text. */
  readonly bytes: number
  /** Its number in the order of the store. */
  readonly seq: number
}

/** Kinds that decide who speaks for whom. */
const SPEAKER_KINDS = new Set(['project', 'claim', 'release', 'rotation', 'confirmation', 'settlement'])
/** Kinds that decide which repos there are: nobody waits for the agreement of a removed repo. */
const REPO_KINDS = new Set(['repo', 'removal'])

type Kind = Pick<Statement, 'kind'>

export const isAboutSpeakers = ({ kind }: Kind): boolean => SPEAKER_KINDS.has(kind)

/** Whether every agent can make it for itself, so that it must be limited, unlike confirmations and settlements. */
export const isClaiming = ({ kind }: Kind): boolean => CLAIMING.has(kind)
const CLAIMING = new Set(['claim', 'release', 'rotation', 'repo', 'removal'])

/** Number and size of the statements of one key. */
export interface Volume {
  readonly count: number
  readonly bytes: number
  /** How many of them are about who speaks for which repo, and which repos there are. */
  readonly claims: number
}
export const NO_VOLUME: Volume = { count: 0, bytes: 0, claims: 0 }

/** Whether a statement may change every entity of its project. */
export const isWide = ({ kind }: Kind): boolean => SPEAKER_KINDS.has(kind) || REPO_KINDS.has(kind)

/** The statements of one project with their indexes. */
export class StatementIndex {
  /** By place (`placeKeyOf`): facts by id, registers by author, entity and name; each after those that it cites. */
  readonly #kept = new Map<string, Kept>()
  /** Registers by statement id, as verifications refer to them. */
  readonly #registers = new Map<string, Statement>()
  /** By entity id. */
  readonly #said = new Map<string, SaidAbout>()
  /** Statements that decide who speaks for whom, by kind. */
  readonly #statementsOnSpeakers = new Map<string, Set<Statement>>()
  /** By the id of the redacted statement. */
  readonly #redactions = new Map<string, Set<Statement>>()
  /** Ids of statements whose content was added or removed after they were admitted, in that order. */
  readonly contentChanges: string[] = []
  readonly #volumes = new Map<string, { -readonly [Field in keyof Volume]: Volume[Field] }>()
  /** The newest time of each key's statements; computed again for a key that is missing here. */
  readonly #newestBy = new Map<string, Stamp>()

  get size(): number {
    return this.#kept.size
  }

  *[Symbol.iterator](): Iterator<Statement> {
    for (const { statement } of this.#kept.values()) yield statement
  }

  kept(): Iterable<Kept> {
    return this.#kept.values()
  }

  /** What is kept in the place of this statement: the statement itself, or another one of the same register. */
  inPlaceOf(statement: Statement): Kept | undefined {
    return this.#kept.get(placeKeyOf(statement))
  }

  fact(id: string): Statement | undefined {
    return this.#kept.get(id)?.statement
  }

  get(id: string): Statement | undefined {
    return this.fact(id) ?? this.#registers.get(id)
  }

  redactionsOf(id: string): Iterable<Statement> {
    return this.#redactions.get(id) ?? NO_STATEMENTS
  }

  volumeOf(key: string): Volume {
    return this.#volumes.get(key) ?? NO_VOLUME
  }

  newestBy(key: string): Stamp | undefined {
    if (!this.#volumes.has(key)) return undefined
    return getOrAdd(this.#newestBy, key, () => this.#findNewestBy(key))
  }

  get unconfirmedKeys(): number {
    return Math.max(0, this.#volumes.size - (this.#statementsOnSpeakers.get('confirmation')?.size ?? 0))
  }

  newestAbout(id: string): Stamp | undefined {
    return this.#said.get(id)?.newest
  }

  /** Whether there are statements about an entity. */
  knows(id: string): boolean {
    return this.#said.has(id)
  }

  /** The ids of entities with statements of one of these kinds: `repo`, `claim`, `revision` and `packet` open one. */
  *about(...kinds: readonly string[]): Iterable<string> {
    for (const [id, said] of this.#said) if (kinds.some((kind) => said.of(kind).size > 0)) yield id
  }

  saidAbout(id: string, kind: string): ReadonlySet<Statement> {
    return this.#said.get(id)?.of(kind) ?? NO_STATEMENTS
  }

  allAbout(id: string): Iterable<Statement> {
    return this.#said.get(id)?.all() ?? NO_STATEMENTS
  }

  /** All statements of a kind that decides who speaks for whom. */
  statementsOnSpeakers(kind: string): Statement[] {
    return [...(this.#statementsOnSpeakers.get(kind) ?? NO_STATEMENTS)]
  }

  /** Puts a statement in its place and returns what it replaces. */
  protected enter(one: Kept): Kept | undefined {
    const { statement } = one
    const place = placeKeyOf(statement)
    const before = this.#kept.get(place)
    if (before !== undefined) this.#leave(before)
    // The newer statement of a register may be under a newer claim, and has to come after that in the order.
    if (before !== undefined && before.statement.id !== statement.id) this.#kept.delete(place)
    if (before?.statement.id === statement.id) this.contentChanges.push(statement.id)
    this.#kept.set(place, one)
    this.#enter(one)
    return before
  }

  /** Undoes `enter`: puts back what was in the place before. */
  protected takeBack(one: Kept, before: Kept | undefined, newest: Stamp | undefined): void {
    if (before === undefined) {
      this.#kept.delete(placeKeyOf(one.statement))
      this.#leave(one)
    } else this.enter(before)
    const said = this.#said.get(one.statement.about)
    if (said !== undefined && newest !== undefined) said.newest = newest
  }

  /** Removes a statement; the newest time about its entity is computed again when needed. */
  protected takeOut(one: Kept): void {
    this.#kept.delete(placeKeyOf(one.statement))
    this.#leave(one)
    this.#said.get(one.statement.about)?.forgetNewest()
  }

  #enter({ statement, bytes }: Kept): void {
    const { about, kind, at } = statement
    const said = this.#said.get(about)
    if (said === undefined) this.#said.set(about, new SaidAbout(statement))
    else said.add(statement)
    if (said !== undefined && at > said.newest) said.newest = at
    if (isRegister(statement)) this.#registers.set(statement.id, statement)
    if (SPEAKER_KINDS.has(kind)) setOf(this.#statementsOnSpeakers, kind).add(statement)
    if (kind === 'redaction') setOf(this.#redactions, String(statement.body['of'])).add(statement)
    this.#count(statement, 1, bytes)
  }

  #leave({ statement, bytes }: Kept): void {
    const { about, kind } = statement
    this.#count(statement, -1, -bytes)
    this.#registers.delete(statement.id)
    if (this.#said.get(about)?.delete(statement) === 'empty') this.#said.delete(about)
    this.#statementsOnSpeakers.get(kind)?.delete(statement)
    if (kind === 'redaction') this.#redactions.get(String(statement.body['of']))?.delete(statement)
  }

  #count({ key, kind, at }: Statement, more: 1 | -1, bytes: number): void {
    const volume = this.#volumes.get(key) ?? { ...NO_VOLUME }
    const newest = volume.count === 0 ? at : this.#newestBy.get(key)
    volume.count += more
    volume.bytes += bytes
    if (isClaiming({ kind })) volume.claims += more
    if (volume.count === 0) this.#volumes.delete(key)
    else this.#volumes.set(key, volume)
    if (newest === undefined) return
    if (more === 1) this.#newestBy.set(key, at > newest ? at : newest)
    else if (at === newest) this.#newestBy.delete(key)
  }

  #findNewestBy(key: string): Stamp {
    let newest = EARLIEST
    for (const { statement } of this.#kept.values())
      if (statement.key === key && statement.at > newest) newest = statement.at
    return newest
  }
}

/** The statements about one entity. Most entities have only one, so that one is kept without a map. */
class SaidAbout {
  #newest: Stamp | undefined
  #only: Statement | undefined
  #byKind: Map<string, Set<Statement>> | undefined

  constructor(first: Statement) {
    this.#only = first
    this.#newest = first.at
  }

  get newest(): Stamp {
    this.#newest ??= latest(Array.from(this.all(), ({ at }) => at))
    return this.#newest
  }

  set newest(at: Stamp) {
    this.#newest = at
  }

  forgetNewest(): void {
    this.#newest = undefined
  }

  of(kind: string): ReadonlySet<Statement> {
    if (this.#only?.kind === kind) return new Set([this.#only])
    return this.#byKind?.get(kind) ?? NO_STATEMENTS
  }

  *all(): Iterable<Statement> {
    if (this.#only !== undefined) yield this.#only
    for (const ofKind of this.#byKind?.values() ?? []) yield* ofKind
  }

  add(statement: Statement): void {
    if (this.#byKind === undefined) {
      this.#byKind = new Map()
      if (this.#only !== undefined) setOf(this.#byKind, this.#only.kind).add(this.#only)
      this.#only = undefined
    }
    setOf(this.#byKind, statement.kind).add(statement)
  }

  delete(statement: Statement): 'empty' | 'more' {
    if (this.#only === statement) this.#only = undefined
    const ofKind = this.#byKind?.get(statement.kind)
    ofKind?.delete(statement)
    if (ofKind?.size === 0) this.#byKind?.delete(statement.kind)
    return this.#only === undefined && (this.#byKind?.size ?? 0) === 0 ? 'empty' : 'more'
  }
}

const NO_STATEMENTS: ReadonlySet<Statement> = new Set()

const setOf = (byKey: Map<string, Set<Statement>>, key: string): Set<Statement> =>
  getOrAdd(byKey, key, () => new Set())
