import { compareText } from '../../protocol/json/canonical.ts'
import { isForeign } from '../statements/certified-id.ts'
import { bodyOf } from '../statements/kind.ts'
import { sighting as sightingKind } from '../statements/sighting.ts'
import { byTime, hasLostContent, type Statement } from '../statements/statement.ts'
import type { SaidInProject } from '../view.ts'
import { ContractFold, type ProjectContext } from './contract.ts'
import type {
  ContractEntity,
  ContractHistory,
  LostClaim,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
  Sighting,
} from './entities.ts'
import { lostIn } from './lost-claims.ts'
import { foldPacket } from './packet.ts'
import { foldProject } from './project.ts'
import { foldRepo } from './repo.ts'
import { Speakers } from './speakers.ts'
import { isOnSpeakers, isWide, type Kept, StatementIndex } from './statement-index.ts'

/** A contract of fewer statements is folded anew from all of them, rather than kept half folded. */
const WORTH_KEEPING = 16

/**
 * All admitted statements of one project, and what they add up to. An entity is folded when it is asked for, and again
 * only after a statement arrived that it depends on; until then it is the very same object.
 */
export class ProjectStatements extends StatementIndex implements SaidInProject {
  /** By what it was asked for as: a packet that was looked for among contracts still is a packet. */
  readonly #folded = {
    repo: new Map<string, RepoEntity | undefined>(),
    contract: new Map<string, ContractEntity | undefined>(),
    packet: new Map<string, PacketEntity | undefined>(),
  }
  readonly #sightings = new Map<string, readonly Sighting[]>()
  readonly #contracts = new Map<string, ContractFold>()
  #project: ProjectEntity | undefined
  /** What was said that is wide since anybody looked; undefined: all has to be folded anew. */
  #news: Statement[] | undefined
  /** Whether a repo is present, as far as contracts depend on it. */
  readonly #present = new Map<string, boolean>()
  #context: ProjectContext | undefined
  #foldings = 0

  /** Whether it would change anything: it is not known, nor an older word than the one that is kept. */
  isNews(statement: Statement): boolean {
    const before = this.inPlaceOf(statement)?.statement
    if (before === undefined || byTime(statement, before) > 0) return true
    return restores(statement, before) && !this.isTakenAway(before)
  }

  /** False when it is no news. */
  add(one: Kept): boolean {
    if (!this.isNews(one.statement)) return false
    this.put(one)
    return true
  }

  /**
   * Puts it in its place, whatever is there: also a statement without its content, which a redaction took away.
   * Returns what takes it back.
   */
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

  /** Takes a statement away as if it had never come. Returns what takes that back; undefined when it is not here. */
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

  /** Whether its author took its content away. Without effect on a revision while that is in force. */
  isTakenAway({ id, about, kind }: Statement): boolean {
    const context = this.#contextNow()
    if (context === undefined) return false
    for (const one of this.redactionsOf(id))
      if (context.speakers.wordOf(one).counts)
        return kind !== 'revision' || this.contract(about)?.in_force?.revision.id !== id
    return false
  }

  /** How often all had to be folded anew: as long as it is the same, whatever was said before counts as it did. */
  foldings(): number {
    this.#contextNow()
    return this.#foldings
  }

  /** The founding that counts; undefined while nobody is known to have founded it. */
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

  lostClaims(): Iterable<LostClaim> {
    const speakers = this.#contextNow()?.speakers
    return speakers === undefined ? [] : lostIn(speakers, this.onSpeakers('settlement'))
  }

  contract(contractId: string): ContractEntity | undefined {
    return this.#fold(this.#folded.contract, contractId, (context) =>
      this.#contractFold(contractId, context).entity(() => this.#tellerOf(contractId)),
    )
  }

  /** Also of one that nobody who counts has opened. */
  history(contractId: string): ContractHistory | undefined {
    const context = this.knows(contractId) ? this.#contextNow() : undefined
    return context && this.#contractFold(contractId, context).history()
  }

  packet(packetId: string): PacketEntity | undefined {
    return this.#fold(this.#folded.packet, packetId, ({ speakers }) =>
      foldPacket(
        { packets: this.#list(packetId, 'packet'), redactions: this.#list(packetId, 'redaction') },
        speakers,
      ),
    )
  }

  /** Of each repo the newest word that counts. */
  sightingsOf(id: string): readonly Sighting[] {
    const said = this.saidAbout(id, 'sighting')
    const context = said.size === 0 ? undefined : this.#contextNow()
    if (context === undefined) return NO_SIGHTINGS
    const known = this.#sightings.get(id)
    if (known !== undefined) return known
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

  /** Nothing is kept of an id that nobody said anything about: callers can name any number of them. */
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

  /** Looks at who speaks for whom, if anything was said about that since. */
  #contextNow(): ProjectContext | undefined {
    if (this.#context !== undefined && this.#news?.length === 0) return this.#context
    const { founding } = this
    if (founding === undefined) return undefined
    const [news, before] = [this.#news, this.#context]
    this.#news = []
    this.#project = undefined
    for (const { about } of news ?? []) this.#folded.repo.delete(about)
    if (news === undefined || before === undefined) {
      const speakers = this.#speakersOf(founding)
      this.#context = { speakers, isPresent: (repoId) => this.#isPresent(repoId) }
      this.#forgetFolds()
    } else if (!before.speakers.goOnWith(news.filter(isOnSpeakers)) || this.#movesPresence(news))
      this.#forgetFolds()
    return this.#context
  }

  /** Whether a repo that this is about came or went for contracts that look at it. */
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

  #speakersOf(founding: Statement): Speakers {
    return new Speakers({
      founding,
      otherFoundings: this.#foundings().slice(1),
      all: (kind) => this.onSpeakers(kind),
      about: (repoId, kind) => this.saidAbout(repoId, kind),
    })
  }

  /**
   * A founder that gave the id to several projects is held to the first one, which is the same everywhere. Of those
   * that heard of a project of somebody who signs nothing, the one with the lowest id is its founder.
   */
  #foundings(): Statement[] {
    return this.onSpeakers('project').sort((a, b) =>
      isForeign(a.about, a) ? (a.id < b.id ? -1 : 1) : byTime(a, b),
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
    let count = 0
    for (const one of this.allAbout(contractId)) {
      fold.add(one)
      count++
    }
    if (count >= WORTH_KEEPING) this.#contracts.set(contractId, fold)
    return fold
  }

  /** Tells of the contract as it is when it is asked. */
  #tellerOf(contractId: string): ContractFold {
    const context = this.#contextNow()
    if (context === undefined) throw new TypeError('a contract is told of within its project')
    return this.#contractFold(contractId, context)
  }

  #list(about: string, kind: string): Statement[] {
    return [...this.saidAbout(about, kind)]
  }
}

const NO_SIGHTINGS: readonly Sighting[] = []

/** Whether it brings back a content: a redaction has no effect on what is in force by then. */
const restores = (statement: Statement, before: Statement): boolean =>
  statement.id === before.id && hasLostContent(before) && !hasLostContent(statement)
