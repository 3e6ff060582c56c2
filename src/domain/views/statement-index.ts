import { EARLIEST, latest, type Stamp } from '../../protocol/stamp.ts'
import { KINDS, keptBy } from '../statements/kinds.ts'
import type { Statement } from '../statements/statement.ts'

/** A statement as it is kept. */
export interface Kept {
  readonly statement: Statement
  /** Of its text. */
  readonly bytes: number
  /** Its place in the order of the store. */
  readonly seq: number
}

/** Kinds that decide who speaks for whom. */
const ON_SPEAKERS = new Set(['project', 'claim', 'release', 'rotation', 'confirmation', 'settlement'])
/** Kinds that decide which repos there are: a repo that was removed is not waited for. */
const ON_REPOS = new Set(['repo', 'removal'])

type Kind = Pick<Statement, 'kind'>

export const isOnSpeakers = ({ kind }: Kind): boolean => ON_SPEAKERS.has(kind)

/** Whether a statement may change everything in its project. */
/** Whether anybody can say it of himself or of repos; the founder confirms and settles as often as it has to. */
export const isClaiming = ({ kind }: Kind): boolean => CLAIMING.has(kind)
const CLAIMING = new Set(['claim', 'release', 'rotation', 'repo', 'removal'])

/** How much one key has said. */
export interface Volume {
  readonly count: number
  readonly bytes: number
  /** Of these, on who speaks for which repo, and which repos there are. */
  readonly claims: number
}
export const NO_VOLUME: Volume = { count: 0, bytes: 0, claims: 0 }

export const isWide = ({ kind }: Kind): boolean => ON_SPEAKERS.has(kind) || ON_REPOS.has(kind)

/** The statements of one project, found by all that they are asked for by. */
export class StatementIndex {
  /** By what it is kept by: facts by their id, registers by author, entity and name; each after all that it cites. */
  readonly #kept = new Map<string, Kept>()
  /** Registers by their id: what a verification names. */
  readonly #registers = new Map<string, Statement>()
  /** By entity: what was said about it. */
  readonly #said = new Map<string, SaidAbout>()
  /** Those on speakers, by kind. */
  readonly #onSpeakers = new Map<string, Set<Statement>>()
  /** By what is redacted. */
  readonly #redactions = new Map<string, Set<Statement>>()
  /** Ids of statements whose content came or went after they were let in, in that order. */
  readonly contentChanges: string[] = []
  readonly #volumes = new Map<string, { -readonly [Field in keyof Volume]: Volume[Field] }>()
  /** The newest stamp of each key; of one that is missing it has to be looked for. */
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

  /** What holds the place that this statement would take: itself, or another word of the same register. */
  inPlaceOf(statement: Statement): Kept | undefined {
    return this.#kept.get(keptBy(statement))
  }

  fact(id: string): Statement | undefined {
    return this.#kept.get(id)?.statement
  }

  get(id: string): Statement | undefined {
    return this.fact(id) ?? this.#registers.get(id)
  }

  redactionsOf(id: string): Iterable<Statement> {
    return this.#redactions.get(id) ?? NOTHING
  }

  volumeOf(key: string): Volume {
    return this.#volumes.get(key) ?? NO_VOLUME
  }

  newestBy(key: string): Stamp | undefined {
    if (!this.#volumes.has(key)) return undefined
    const newest = this.#newestBy.get(key) ?? this.#lookForNewestBy(key)
    this.#newestBy.set(key, newest)
    return newest
  }

  get unconfirmedKeys(): number {
    return Math.max(0, this.#volumes.size - (this.#onSpeakers.get('confirmation')?.size ?? 0))
  }

  newestAbout(id: string): Stamp | undefined {
    return this.#said.get(id)?.newest
  }

  /** Whether anything was said about an entity. */
  knows(id: string): boolean {
    return this.#said.has(id)
  }

  /** The ids of what there are statements of this kind about: `repo`, `claim`, `revision` or `packet` open an entity. */
  *about(...kinds: readonly string[]): Iterable<string> {
    for (const [id, said] of this.#said) if (kinds.some((kind) => said.of(kind).size > 0)) yield id
  }

  /** What was said about an entity in one kind. */
  saidAbout(id: string, kind: string): ReadonlySet<Statement> {
    return this.#said.get(id)?.of(kind) ?? NOTHING
  }

  allAbout(id: string): Iterable<Statement> {
    return this.#said.get(id)?.all() ?? NOTHING
  }

  /** Of the kinds that decide who speaks for whom. */
  onSpeakers(kind: string): Statement[] {
    return [...(this.#onSpeakers.get(kind) ?? NOTHING)]
  }

  /** Puts it in its place, whatever is there, and returns that. */
  protected enter(one: Kept): Kept | undefined {
    const { statement } = one
    const place = keptBy(statement)
    const before = this.#kept.get(place)
    if (before !== undefined) this.#leave(before)
    // A newer word of a register may be under another claim, which it has to come after.
    if (before !== undefined && before.statement.id !== statement.id) this.#kept.delete(place)
    if (before?.statement.id === statement.id) this.contentChanges.push(statement.id)
    this.#kept.set(place, one)
    this.#enter(one)
    return before
  }

  /** Puts back what was in its place, as if it had never come. */
  protected takeBack(one: Kept, before: Kept | undefined, newest: Stamp | undefined): void {
    if (before === undefined) {
      this.#kept.delete(keptBy(one.statement))
      this.#leave(one)
    } else this.enter(before)
    const said = this.#said.get(one.statement.about)
    if (said !== undefined && newest !== undefined) said.newest = newest
  }

  /** The newest stamp about its entity is then looked for again. */
  protected takeOut(one: Kept): void {
    this.#kept.delete(keptBy(one.statement))
    this.#leave(one)
    this.#said.get(one.statement.about)?.forgetNewest()
  }

  #enter({ statement, bytes }: Kept): void {
    const { about, kind, at } = statement
    const said = this.#said.get(about)
    if (said === undefined) this.#said.set(about, new SaidAbout(statement))
    else said.add(statement)
    if (said !== undefined && at > said.newest) said.newest = at
    if (KINDS.get(kind)?.family === 'register') this.#registers.set(statement.id, statement)
    if (ON_SPEAKERS.has(kind)) setOf(this.#onSpeakers, kind).add(statement)
    if (kind === 'redaction') setOf(this.#redactions, String(statement.body['of'])).add(statement)
    this.#count(statement, 1, bytes)
  }

  #leave({ statement, bytes }: Kept): void {
    const { about, kind } = statement
    this.#count(statement, -1, -bytes)
    this.#registers.delete(statement.id)
    if (this.#said.get(about)?.delete(statement) === 'empty') this.#said.delete(about)
    this.#onSpeakers.get(kind)?.delete(statement)
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

  #lookForNewestBy(key: string): Stamp {
    let newest = EARLIEST
    for (const { statement } of this.#kept.values())
      if (statement.key === key && statement.at > newest) newest = statement.at
    return newest
  }
}

/** Of most entities there is one statement, which then is all that is kept here. */
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
    return this.#byKind?.get(kind) ?? NOTHING
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

const NOTHING: ReadonlySet<Statement> = new Set()

function setOf(byKey: Map<string, Set<Statement>>, key: string): Set<Statement> {
  const found = byKey.get(key) ?? new Set()
  byKey.set(key, found)
  return found
}
