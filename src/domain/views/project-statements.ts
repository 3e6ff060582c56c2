import { compareText } from '../../protocol/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { isForeign } from '../statements/certified-id.ts'
import { bodyOf } from '../statements/kind.ts'
import { KINDS, keptBy } from '../statements/kinds.ts'
import { sighting as sightingKind } from '../statements/sighting.ts'
import { byTime, hasLostContent, type Statement } from '../statements/statement.ts'
import type { SaidInProject } from '../view.ts'
import { ContractFold, type ProjectContext } from './contract.ts'
import type {
  ContractEntity,
  ContractHistory,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
  Sighting,
} from './entities.ts'
import { foldPacket } from './packet.ts'
import { foldProject } from './project.ts'
import { foldRepo } from './repo.ts'
import { Speakers } from './speakers.ts'

/** A statement as it is kept. */
export interface Kept {
  readonly statement: Statement
  /** Of its text. */
  readonly bytes: number
  /** Its place in the order of the store. */
  readonly seq: number
}

type FoldedKind = 'repo' | 'contract' | 'packet'

/** Kinds that decide who speaks for whom; everything that was said has to be looked at anew when one of them arrives. */
const ON_SPEAKERS = new Set(['project', 'claim', 'release', 'rotation', 'confirmation', 'settlement'])
/** Kinds that decide which repos there are: a repo that was removed is not waited for. */
const ON_REPOS = new Set(['repo', 'removal'])

/** Whether a statement may change everything in its project. */
export const isWide = ({ kind }: Pick<Statement, 'kind'>): boolean =>
  ON_SPEAKERS.has(kind) || ON_REPOS.has(kind)

/**
 * All admitted statements of one project, and what they add up to. An entity is folded when it is asked for, and again
 * only after a statement arrived that it depends on; until then it is the very same object.
 */
export class ProjectStatements implements SaidInProject {
  /** By what it is kept by: facts by their id, registers by author, entity and name. */
  readonly #kept = new Map<string, Kept>()
  /** Registers by their id: what a verification names. */
  readonly #registers = new Map<string, Statement>()
  /** By entity, then by kind. */
  readonly #said = new Map<string, Map<string, Set<Statement>>>()
  /** Those on speakers, by kind: there are few of them, and all are looked at together. */
  readonly #onSpeakers = new Map<string, Set<Statement>>()
  /** By what is redacted. */
  readonly #redactions = new Map<string, Set<Statement>>()
  readonly #newest = new Map<string, Stamp>()
  readonly #volumes = new Map<string, { count: number; bytes: number }>()
  /** By entity, then by what it was asked for as: a packet that was looked for among contracts still is a packet. */
  readonly #folded = new Map<string, Map<FoldedKind, unknown>>()
  readonly #sightings = new Map<string, readonly Sighting[]>()
  readonly #contracts = new Map<string, ContractFold>()
  #bytes = 0
  #project: ProjectEntity | undefined
  #context: ProjectContext | undefined

  get size(): number {
    return this.#kept.size
  }

  /** Of all texts that are kept. */
  get bytes(): number {
    return this.#bytes
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

  /** Whether it would change anything: it is not known, nor an older word than the one that is kept. */
  isNews(statement: Statement): boolean {
    const before = this.inPlaceOf(statement)?.statement
    return before === undefined || byTime(statement, before) > 0 || restores(statement, before)
  }

  /** False when it is no news. */
  add(one: Kept): boolean {
    if (!this.isNews(one.statement)) return false
    this.put(one)
    return true
  }

  /** Puts it in its place, whatever is there: also a statement without its content, which a redaction took away. */
  put(one: Kept): void {
    const { statement, bytes } = one
    const place = keptBy(statement)
    const before = this.#kept.get(place)
    if (before !== undefined) this.#leave(before)
    this.#kept.set(place, one)
    this.#enter(statement)
    this.#count(statement.key, 1, bytes)
    this.#forget(statement)
    if (before?.statement.id === statement.id) this.#contracts.delete(statement.about)
    else this.#contracts.get(statement.about)?.add(statement, before?.statement)
  }

  /** Puts back what was in the place of a statement, as if that had never come. */
  undo(one: Kept, before: Kept | undefined): void {
    if (before === undefined) {
      this.#kept.delete(keptBy(one.statement))
      this.#leave(one)
    } else this.put(before)
    this.#sightings.clear()
    this.#project = undefined
    this.#context = undefined
    this.#folded.clear()
    this.#contracts.clear()
    // The newest stamp is left as it is: a later one does no harm.
  }

  fact(id: string): Statement | undefined {
    return this.#kept.get(id)?.statement
  }

  get(id: string): Statement | undefined {
    return this.fact(id) ?? this.#registers.get(id)
  }

  redactionsOf(id: string): Iterable<Statement> {
    return this.#redactions.get(id) ?? []
  }

  get unconfirmedKeys(): number {
    return Math.max(0, this.#volumes.size - (this.#onSpeakers.get('confirmation')?.size ?? 0))
  }

  volumeOf(key: string): { readonly count: number; readonly bytes: number } {
    return this.#volumes.get(key) ?? { count: 0, bytes: 0 }
  }

  newestAbout(id: string): Stamp | undefined {
    return this.#newest.get(id)
  }

  /** The founding that counts; undefined while nobody is known to have founded it. */
  get founding(): Statement | undefined {
    return this.#foundings()[0]
  }

  get project(): ProjectEntity | undefined {
    const { founding } = this
    if (founding === undefined) return undefined
    this.#project ??= foldProject(
      founding,
      this.#list(founding.project_id, 'title'),
      this.#contextOf(founding).speakers,
    )
    return this.#project
  }

  repo(repoId: string): RepoEntity | undefined {
    return this.#fold('repo', repoId, ({ speakers }) =>
      foldRepo(
        {
          repoId,
          namings: this.#list(repoId, 'repo'),
          removals: this.#list(repoId, 'removal'),
          descriptions: this.#list(repoId, 'description'),
        },
        speakers,
      ),
    )
  }

  contract(contractId: string): ContractEntity | undefined {
    return this.#fold('contract', contractId, (context) => this.#contractFold(contractId, context).entity())
  }

  /** Also of one that nobody who counts has opened. */
  history(contractId: string): ContractHistory | undefined {
    const context = this.#said.has(contractId) ? this.#contextNow() : undefined
    return context && this.#contractFold(contractId, context).history()
  }

  packet(packetId: string): PacketEntity | undefined {
    return this.#fold('packet', packetId, ({ speakers }) =>
      foldPacket(
        { packets: this.#list(packetId, 'packet'), redactions: this.#list(packetId, 'redaction') },
        speakers,
      ),
    )
  }

  /** Of each repo the newest word that counts. */
  sightingsOf(id: string): readonly Sighting[] {
    const known = this.#sightings.get(id)
    if (known !== undefined) return known
    const said = this.#said.get(id)?.get('sighting')
    const context = said && this.#contextNow()
    if (said === undefined || context === undefined) return NO_SIGHTINGS
    const newest = new Map<string, Statement>()
    for (const statement of said) {
      const { repo_id, counts } = context.speakers.wordOf(statement)
      const before = repo_id === null ? undefined : newest.get(repo_id)
      if (counts && repo_id !== null && (before === undefined || byTime(before, statement) < 0))
        newest.set(repo_id, statement)
    }
    const sightings = [...newest]
      .sort(([a], [b]) => compareText(a, b))
      .map(([repo_id, one]) => {
        const { of, parts } = bodyOf(sightingKind, one)
        return { repo_id, of, parts, at: one.at }
      })
    this.#sightings.set(id, sightings)
    return sightings
  }

  /** The ids of what there are statements of this kind about: `repo`, `claim`, `revision` or `packet` open an entity. */
  *about(...kinds: readonly string[]): Iterable<string> {
    for (const [id, byKind] of this.#said) if (kinds.some((kind) => byKind.has(kind))) yield id
  }

  /** What was said about an entity in one kind. */
  saidAbout(id: string, kind: string): Iterable<Statement> {
    return this.#said.get(id)?.get(kind) ?? []
  }

  #enter(statement: Statement): void {
    const { about, kind, at } = statement
    const byKind = this.#said.get(about) ?? new Map<string, Set<Statement>>()
    this.#said.set(about, byKind)
    setOf(byKind, kind).add(statement)
    if (KINDS.get(kind)?.family === 'register') this.#registers.set(statement.id, statement)
    if (ON_SPEAKERS.has(kind)) setOf(this.#onSpeakers, kind).add(statement)
    if (kind === 'redaction') setOf(this.#redactions, String(statement.body['of'])).add(statement)
    if (at > (this.#newest.get(about) ?? '')) this.#newest.set(about, at)
  }

  #leave({ statement, bytes }: Kept): void {
    const { about, kind } = statement
    this.#count(statement.key, -1, -bytes)
    this.#registers.delete(statement.id)
    const byKind = this.#said.get(about)
    const ofKind = byKind?.get(kind)
    ofKind?.delete(statement)
    if (ofKind?.size === 0) byKind?.delete(kind)
    if (byKind?.size === 0) this.#said.delete(about)
    this.#onSpeakers.get(kind)?.delete(statement)
    if (kind === 'redaction') this.#redactions.get(String(statement.body['of']))?.delete(statement)
  }

  #count(key: string, count: number, bytes: number): void {
    this.#bytes += bytes
    const before = this.volumeOf(key)
    this.#volumes.set(key, { count: before.count + count, bytes: before.bytes + bytes })
  }

  /** Nothing is kept of an id that nobody said anything about: callers can name any number of them. */
  #fold<Entity>(kind: FoldedKind, id: string, fold: (context: ProjectContext) => Entity): Entity | undefined {
    const known = this.#folded.get(id)
    if (known?.has(kind)) return known.get(kind) as Entity
    const context = this.#said.has(id) ? this.#contextNow() : undefined
    if (context === undefined) return undefined
    const entity = fold(context)
    this.#folded.set(id, (this.#folded.get(id) ?? new Map<FoldedKind, unknown>()).set(kind, entity))
    return entity
  }

  #contextNow(): ProjectContext | undefined {
    const { founding } = this
    return founding && this.#contextOf(founding)
  }

  #contextOf(founding: Statement): ProjectContext {
    this.#context ??= {
      speakers: new Speakers({
        founding,
        otherFoundings: this.#foundings().slice(1),
        claims: this.#all('claim'),
        releases: this.#all('release'),
        rotations: this.#all('rotation'),
        confirmations: this.#all('confirmation'),
        settlements: this.#all('settlement'),
      }),
      isPresent: (repoId) => this.repo(repoId) !== undefined,
    }
    return this.#context
  }

  /**
   * A founder that gave the id to several projects is held to the first one, which is the same everywhere. Of those
   * that heard of a project of somebody who signs nothing, the one with the lowest id is its founder.
   */
  #foundings(): Statement[] {
    return this.#all('project').sort((a, b) =>
      isForeign(a.about, a) ? (a.id < b.id ? -1 : 1) : byTime(a, b),
    )
  }

  #forget({ kind, about }: Statement): void {
    if (ON_SPEAKERS.has(kind)) this.#context = undefined
    if (isWide({ kind })) {
      this.#project = undefined
      this.#folded.clear()
      this.#sightings.clear()
      this.#contracts.clear()
    } else if (kind === 'title') this.#project = undefined
    else if (kind === 'sighting') this.#sightings.delete(about)
    else this.#folded.delete(about)
  }

  #contractFold(contractId: string, context: ProjectContext): ContractFold {
    const known = this.#contracts.get(contractId)
    if (known !== undefined) return known
    const fold = new ContractFold(context)
    for (const ofKind of this.#said.get(contractId)?.values() ?? []) for (const one of ofKind) fold.add(one)
    this.#contracts.set(contractId, fold)
    return fold
  }

  #list(about: string, kind: string): Statement[] {
    return [...this.saidAbout(about, kind)]
  }

  #all(kind: string): Statement[] {
    return [...(this.#onSpeakers.get(kind) ?? [])]
  }
}

const NO_SIGHTINGS: readonly Sighting[] = []

/** Whether it brings back a content: a redaction has no effect on what is in force by then. */
const restores = (statement: Statement, before: Statement): boolean =>
  statement.id === before.id && hasLostContent(before) && !hasLostContent(statement)

function setOf(byKey: Map<string, Set<Statement>>, key: string): Set<Statement> {
  const found = byKey.get(key) ?? new Set()
  byKey.set(key, found)
  return found
}
