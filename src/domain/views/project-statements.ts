import { keptBy } from '../statements/kinds.ts'
import { byTime, hasLostContent, type Statement } from '../statements/statement.ts'
import { ContractFold, type ProjectContext } from './contract.ts'
import type { ContractEntity, ContractHistory, PacketEntity, ProjectEntity, RepoEntity } from './entities.ts'
import { foldPacket } from './packet.ts'
import { foldProject } from './project.ts'
import { foldRepo } from './repo.ts'
import { Speakers } from './speakers.ts'

type EntityKind = 'project' | 'repo' | 'contract' | 'packet'

/** Kinds that decide who speaks for whom; everything that was said has to be looked at anew when one of them arrives. */
const ON_SPEAKERS = new Set(['project', 'claim', 'release', 'rotation', 'confirmation', 'settlement'])
/** Kinds that decide which repos there are: a repo that was removed is not waited for. */
const ON_REPOS = new Set(['repo', 'removal'])

/**
 * All admitted statements of one project, and what they add up to. An entity is folded when it is asked for, and again
 * only after a statement arrived that it depends on; until then it is the very same object.
 */
export class ProjectStatements {
  /** By what it is kept by: facts by their id, registers by author, entity and name. */
  readonly #kept = new Map<string, Statement>()
  /** By entity, then by kind. */
  readonly #said = new Map<string, Map<string, Set<Statement>>>()
  /** Those on speakers, by kind: there are few of them, and all are looked at together. */
  readonly #onSpeakers = new Map<string, Set<Statement>>()
  /** By entity, then by what it was asked for as: a packet that was looked for among contracts still is a packet. */
  readonly #folded = new Map<string, Map<EntityKind, unknown>>()
  readonly #contracts = new Map<string, ContractFold>()
  #context: ProjectContext | undefined

  get size(): number {
    return this.#kept.size
  }

  *[Symbol.iterator](): Iterator<Statement> {
    yield* this.#kept.values()
  }

  /** False when it is known, or an older word than the one that is kept. */
  add(statement: Statement): boolean {
    const place = keptBy(statement)
    const before = this.#kept.get(place)
    if (before !== undefined && byTime(statement, before) <= 0 && !restores(statement, before)) return false
    this.#kept.set(place, statement)
    const ofKind = this.#ofKind(statement)
    if (before !== undefined) ofKind.delete(before)
    ofKind.add(statement)
    if (ON_SPEAKERS.has(statement.kind)) setOf(this.#onSpeakers, statement.kind).add(statement)
    this.#forget(statement)
    if (before?.id === statement.id) this.#contracts.delete(statement.about)
    else this.#contracts.get(statement.about)?.add(statement, before)
    return true
  }

  /** Undefined while nobody is known to have founded it. */
  get project(): ProjectEntity | undefined {
    const [founding] = this.#foundings()
    if (founding === undefined) return undefined
    const { project_id } = founding
    return this.#fold('project', project_id, ({ speakers }) =>
      foldProject(founding, this.#list(project_id, 'title'), speakers),
    )
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

  /** The ids of what there are statements of this kind about: `repo`, `claim`, `revision` or `packet` open an entity. */
  *about(...kinds: readonly string[]): Iterable<string> {
    for (const [id, byKind] of this.#said) if (kinds.some((kind) => byKind.has(kind))) yield id
  }

  /** Nothing is kept of an id that nobody said anything about: callers can name any number of them. */
  #fold<Entity>(kind: EntityKind, id: string, fold: (context: ProjectContext) => Entity): Entity | undefined {
    const known = this.#folded.get(id)
    if (known?.has(kind)) return known.get(kind) as Entity
    const context = this.#said.has(id) ? this.#contextNow() : undefined
    if (context === undefined) return undefined
    const entity = fold(context)
    this.#folded.set(id, (this.#folded.get(id) ?? new Map<EntityKind, unknown>()).set(kind, entity))
    return entity
  }

  #contextNow(): ProjectContext | undefined {
    if (this.#context !== undefined) return this.#context
    const [founding, ...otherFoundings] = this.#foundings()
    if (founding === undefined) return undefined
    this.#context = {
      speakers: new Speakers({
        founding,
        otherFoundings,
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

  /** A founder that gave the id to several projects is held to the first one, which is the same everywhere. */
  #foundings(): Statement[] {
    return this.#all('project').sort(byTime)
  }

  #forget({ kind, about }: Statement): void {
    if (ON_SPEAKERS.has(kind)) this.#context = undefined
    if (ON_SPEAKERS.has(kind) || ON_REPOS.has(kind)) {
      this.#folded.clear()
      this.#contracts.clear()
    } else this.#folded.delete(about)
  }

  #contractFold(contractId: string, context: ProjectContext): ContractFold {
    const known = this.#contracts.get(contractId)
    if (known !== undefined) return known
    const fold = new ContractFold(context)
    for (const ofKind of this.#said.get(contractId)?.values() ?? []) for (const one of ofKind) fold.add(one)
    this.#contracts.set(contractId, fold)
    return fold
  }

  #ofKind({ about, kind }: Statement): Set<Statement> {
    const byKind = this.#said.get(about) ?? new Map<string, Set<Statement>>()
    this.#said.set(about, byKind)
    return setOf(byKind, kind)
  }

  #list(about: string, kind: string): Statement[] {
    return [...(this.#said.get(about)?.get(kind) ?? [])]
  }

  #all(kind: string): Statement[] {
    return [...(this.#onSpeakers.get(kind) ?? [])]
  }
}

/** Whether it brings back a content: a redaction has no effect on what is in force by then. */
const restores = (statement: Statement, before: Statement): boolean =>
  statement.id === before.id && hasLostContent(before) && !hasLostContent(statement)

function setOf(byKind: Map<string, Set<Statement>>, kind: string): Set<Statement> {
  const found = byKind.get(kind) ?? new Set()
  byKind.set(kind, found)
  return found
}
