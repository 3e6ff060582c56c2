import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { isForeignId } from '../statements/certified-id.ts'
import { byTime, hasLostContent, type Statement } from '../statements/statement.ts'
import type { SaidInProject } from '../view.ts'
import { ContractFold, type ProjectContext } from './contract.ts'
import type { ContractEntity, PacketEntity, ProjectEntity, RepoEntity, Sighting } from './entities.ts'
import { foldPacket } from './packet.ts'
import { foldProject } from './project.ts'
import { foldRepo } from './repo.ts'
import { Speakers } from './speakers.ts'
import { isAboutSpeakers, isWide, type Kept, StatementIndex } from './statement-index.ts'
import { foldSightings } from './tally.ts'

/** The fold of a contract with fewer statements is not kept, but built anew from all statements. */
const WORTH_KEEPING = 16

/**
 * All admitted statements of one project, and the entities derived from them. An entity is folded when it is asked
 * for, and again only after the arrival of a statement that it depends on; until then the same object is returned.
 */
export class ProjectStatements extends StatementIndex implements SaidInProject {
  /** By the kind that was asked for: an id asked for as a contract and as a packet has an entry in both maps. */
  readonly #folded = {
    repo: new Map<string, RepoEntity | undefined>(),
    contract: new Map<string, ContractEntity | undefined>(),
    packet: new Map<string, PacketEntity | undefined>(),
  }
  readonly #sightings = new Map<string, readonly Sighting[]>()
  readonly #contracts = new Map<string, ContractFold>()
  #project: ProjectEntity | undefined
  /** Wide statements since the last fold of the speakers; undefined when everything has to be folded anew. */
  #news: Statement[] | undefined
  /** Repos whose presence a contract fold has looked up, with the result. */
  readonly #present = new Map<string, boolean>()
  #context: ProjectContext | undefined
  #foldings = 0

  isNews(statement: Statement): boolean {
    const before = this.inPlaceOf(statement)?.statement
    if (before === undefined || byTime(statement, before) > 0) return true
    return restores(statement, before) && !this.isTakenAway(before)
  }

  /** Returns false when the statement is no news. */
  add(one: Kept): boolean {
    if (!this.isNews(one.statement)) return false
    this.put(one)
    return true
  }

  /** Puts a statement in its place, whether it has its content or lost it. Returns a function that undoes it. */
  put(one: Kept): () => void {
    const { statement } = one
    const newest = this.newestAbout(statement.about)
    const before = this.enter(one)
    if (before !== undefined && isWide(statement)) this.#forgetAll()
    else this.#forget(statement)
    const fold = this.#contracts.get(statement.about)
    if (before?.statement.id === statement.id) fold?.replace(before.statement, statement)
    else fold?.add(statement, before?.statement)
    return () => {
      this.takeBack(one, before, newest)
      this.#forgetAll()
    }
  }

  /** Removes a statement as if it had never arrived. Returns a function that undoes it; undefined if it is not here. */
  drop(id: string): (() => void) | undefined {
    const statement = this.get(id)
    const one = statement && this.inPlaceOf(statement)
    if (one === undefined) return undefined
    this.takeOut(one)
    this.#forgetAll()
    return () => {
      this.enter(one)
      this.#forgetAll()
    }
  }

  /** Whether its author redacted its content. A redaction has no effect on a revision while that is in force. */
  isTakenAway({ id, about, kind }: Statement): boolean {
    const context = this.#contextNow()
    if (context === undefined) return false
    for (const one of this.redactionsOf(id))
      if (context.speakers.authorshipOf(one).counts)
        return kind !== 'revision' || this.contract(about)?.in_force?.revision.id !== id
    return false
  }

  /** How often everything was folded anew: while this number stays, every earlier statement counts as before. */
  foldings(): number {
    this.#contextNow()
    return this.#foldings
  }

  get founding(): Statement | undefined {
    return this.#foundings()[0]
  }

  get project(): ProjectEntity | undefined {
    const context = this.#contextNow()
    const { founding } = this
    if (founding === undefined || context === undefined) return undefined
    this.#project ??= foldProject(founding, this.#list(founding.project_id, 'title'), context.speakers)
    return this.#project
  }

  repo(repoId: string): RepoEntity | undefined {
    return this.#fold(this.#folded.repo, repoId, ({ speakers }) =>
      foldRepo(repoId, (kind) => this.#list(repoId, kind), speakers),
    )
  }

  lostClaims() {
    return this.#contextNow()?.speakers.lostClaims() ?? []
  }

  contract(contractId: string): ContractEntity | undefined {
    return this.#fold(this.#folded.contract, contractId, (context) =>
      this.#contractFold(contractId, context).entity(() => this.#currentFold(contractId)),
    )
  }

  /** Also for a contract that no statement that counts has opened. */
  history(contractId: string) {
    const context = this.knows(contractId) ? this.#contextNow() : undefined
    return context && this.#contractFold(contractId, context).history()
  }

  packet(packetId: string): PacketEntity | undefined {
    return this.#fold(this.#folded.packet, packetId, ({ speakers }) =>
      foldPacket(this.#list(packetId, 'packet'), this.#list(packetId, 'redaction'), speakers),
    )
  }

  sightingsOf(id: string): readonly Sighting[] {
    const said = this.saidAbout(id, 'sighting')
    const context = said.size === 0 ? undefined : this.#contextNow()
    if (context === undefined) return NO_SIGHTINGS
    return getOrAdd(this.#sightings, id, () => foldSightings(said, context.speakers))
  }

  /** Nothing is cached for unknown ids: callers can name any number of them. */
  #fold<Entity>(
    folded: Map<string, Entity | undefined>,
    id: string,
    fold: (context: ProjectContext) => Entity | undefined,
  ): Entity | undefined {
    const context = this.knows(id) ? this.#contextNow() : undefined
    if (context === undefined) return undefined
    const known = folded.get(id)
    if (known !== undefined || folded.has(id)) return known
    const entity = fold(context)
    folded.set(id, entity)
    return entity
  }

  /** Updates who speaks for which repo, if statements about that have arrived. */
  #contextNow(): ProjectContext | undefined {
    if (this.#context !== undefined && this.#news?.length === 0) return this.#context
    const { founding } = this
    if (founding === undefined) return undefined
    const [news, before] = [this.#news, this.#context]
    this.#news = []
    this.#project = undefined
    for (const { about } of news ?? []) this.#folded.repo.delete(about)
    if (news === undefined || before === undefined) {
      const speakers = new Speakers({
        founding,
        otherFoundings: this.#foundings().slice(1),
        all: (kind) => this.statementsOnSpeakers(kind),
        about: (repoId, kind) => this.saidAbout(repoId, kind),
      })
      this.#context = { speakers, isPresent: (repoId) => this.#isPresent(repoId) }
      this.#forgetFolds()
    } else if (!before.speakers.addAll(news.filter(isAboutSpeakers)) || this.#movesPresence(news))
      this.#forgetFolds()
    return this.#context
  }

  /** Whether one of these statements adds or removes a repo whose presence a contract fold has looked up. */
  #movesPresence(news: readonly Statement[]): boolean {
    return news.some(({ about }) => {
      const before = this.#present.get(about)
      return before !== undefined && before !== (this.repo(about) !== undefined)
    })
  }

  #isPresent(repoId: string): boolean {
    const isPresent = this.repo(repoId) !== undefined
    this.#present.set(repoId, isPresent)
    return isPresent
  }

  /**
   * If a founder gave one id to several projects, the first one counts, on every replica. If several daemons report a
   * project whose founder signs nothing, the statement with the lowest id counts.
   */
  #foundings(): Statement[] {
    return this.statementsOnSpeakers('project').sort((a, b) =>
      isForeignId(a.about, a) ? (a.id < b.id ? -1 : 1) : byTime(a, b),
    )
  }

  #forget(statement: Statement): void {
    const { kind, about } = statement
    if (kind === 'project') this.#forgetAll()
    else if (isWide(statement)) {
      this.#news?.push(statement)
      this.#contracts.clear()
    } else if (kind === 'title') this.#project = undefined
    else if (kind === 'sighting') this.#sightings.delete(about)
    else for (const folded of Object.values(this.#folded)) folded.delete(about)
  }

  #forgetAll(): void {
    this.#news = undefined
    this.#project = undefined
    this.#forgetFolds()
  }

  #forgetFolds(): void {
    this.#foldings++
    for (const folded of Object.values(this.#folded)) folded.clear()
    this.#sightings.clear()
    this.#contracts.clear()
    this.#present.clear()
  }

  #contractFold(contractId: string, context: ProjectContext): ContractFold {
    const known = this.#contracts.get(contractId)
    if (known !== undefined) return known
    const fold = new ContractFold(context)
    const said = [...this.allAbout(contractId)]
    for (const one of said) fold.add(one)
    if (said.length >= WORTH_KEEPING) this.#contracts.set(contractId, fold)
    return fold
  }

  /** The fold as it is now, for an entity that was returned earlier. */
  #currentFold(contractId: string): ContractFold {
    const context = this.#contextNow()
    if (context === undefined) throw new TypeError('a contract entity belongs to a project')
    return this.#contractFold(contractId, context)
  }

  #list(about: string, kind: string): Statement[] {
    return [...this.saidAbout(about, kind)]
  }
}

const NO_SIGHTINGS: readonly Sighting[] = []

/** Whether it has the content that the stored one lacks: a redaction ends when the revision comes into force. */
const restores = (statement: Statement, before: Statement): boolean =>
  statement.id === before.id && hasLostContent(before) && !hasLostContent(statement)
