import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import { acceptanceIn } from '../statements/answer.ts'
import { bodyOf } from '../statements/kind.ts'
import { redaction as redactionKind } from '../statements/redaction.ts'
import { registerSaidIn } from '../statements/register-name.ts'
import { openingOf, revision as revisionKind } from '../statements/revision.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { isParty, objectorsTo, statusOfAgreed, type VersionState } from './agreement.ts'
import { redactedBy } from './by.ts'
import {
  answerEntity,
  type ContractParts,
  expectationEntity,
  mergedEntity,
  revisionEntity,
  treeEntity,
  verificationEntity,
  workEntity,
} from './contract-parts.ts'
import type { ContractEntity, ContractHistory } from './entities.ts'
import { type ContractHistorySource, lazyContract } from './lazy-contract.ts'
import type { Speakers } from './speakers.ts'
import { newestOfRepos } from './tally.ts'
import { Timeline } from './timeline.ts'
import { Versions } from './versions.ts'

/** What the fold of a contract needs from its project. */
export interface ProjectContext {
  readonly speakers: Speakers
  /** Whether a repo belongs to the project: nobody waits for a removed repo. */
  readonly isPresent: (repoId: string) => boolean
}

/** Folds the statements about one contract into its view. Valid as long as the project's speakers stay the same. */
export class ContractFold implements ContractHistorySource {
  readonly #speakers: Speakers
  readonly #versions: Versions
  readonly #context: ProjectContext
  readonly #said = new Timeline()
  readonly #redactions: Statement[] = []
  /** By the id of the redacted statement, the first redaction that counts. */
  readonly #redactionOf = new Map<string, Statement>()
  /** By a revision, the agreements that accept changes of it. */
  readonly #acceptances = new Map<string, Set<Statement>>()
  readonly #withdrawals: Statement[] = []
  /** Statements of registers besides work: what a repo expects, the state of its files, what it merged. */
  readonly #registers = new Set<Statement>()

  constructor(context: ProjectContext) {
    this.#context = context
    this.#speakers = context.speakers
    this.#versions = new Versions(context.isPresent)
  }

  /** `before` is the older statement of the same register, which the new one replaces. */
  add(statement: Statement, before?: Statement): void {
    if (before !== undefined) {
      this.#said.delete(before)
      this.#registers.delete(before)
    }
    if (statement.kind === 'redaction') this.#redact(statement)
    if (statement.kind === 'withdrawal') this.#withdrawals.push(statement)
    if (REGISTERS.has(statement.kind)) this.#registers.add(statement)
    if (statement.kind === 'answer') this.#accept(statement)
    if (!KINDS_IN_HISTORY.has(statement.kind)) return
    this.#said.add(statement)
    const { repo_id, counts, isConfirmed } = this.#speakers.authorshipOf(statement)
    if (!counts || repo_id === null) {
      if (statement.kind === 'work') this.#versions.forgetWork(statement)
      return
    }
    if (statement.kind === 'revision') this.#versions.add(statement, repo_id, isConfirmed)
    else this.#versions.note(statement, repo_id)
  }

  /** Swaps a statement for the same statement with or without its content. */
  replace(before: Statement, after: Statement): void {
    this.#said.replace(before, after)
    this.#versions.replace(before, after)
    for (const some of this.#acceptances.values()) if (some.delete(before)) some.add(after)
  }

  #accept(answer: Statement): void {
    const { accepts, accepts_against: against } = acceptanceIn(answer.body)
    if (against !== null && accepts.length > 0)
      getOrAdd(this.#acceptances, against, () => new Set()).add(answer)
  }

  #redact(redaction: Statement): void {
    this.#redactions.push(redaction)
    const { of } = bodyOf(redactionKind, redaction)
    const first = this.#redactionOf.get(of)
    if (!this.#speakers.authorshipOf(redaction).counts) return
    if (first === undefined || byTime(redaction, first) < 0) this.#redactionOf.set(of, redaction)
  }

  /**
   * The contract as it is now, without its history. Undefined while no statement that counts has opened it. The
   * history is read from `source` when somebody asks for it, so that it need not be kept.
   */
  entity(source: () => ContractHistorySource = () => this): ContractEntity | undefined {
    const opening = this.#versions.opening()
    const head = this.#versions.head()
    const { count, newest } = this.#versions.sum()
    if (opening === undefined || head === undefined || newest === undefined) return undefined
    const lastAgreed = this.#versions.lastAgreed()
    const inForce = this.#inForce()
    const statusInForce = inForce && statusOfAgreed(inForce)
    const objections = objectorsTo(head)
    const parts = this.#parts()
    const { type, name } = openingOf(opening.statement)
    return lazyContract(
      {
        contract_id: opening.statement.about,
        type,
        name,
        created_at: opening.statement.at,
        created_by: opening.author,
        opening: opening.statement.id,
        status:
          objections.length > 0
            ? 'negotiating'
            : head === lastAgreed
              ? (statusInForce ?? 'agreed')
              : 'proposed',
        head: revisionEntity(head, parts),
        in_force: inForce &&
          statusInForce && { revision: revisionEntity(inForce, parts), status: statusInForce },
        conflicts: this.#versions.ends().flatMap((one) => (one === head ? [] : [revisionEntity(one, parts)])),
        objections,
        unanswered: head.needed.filter((repoId) => repoId !== head.author && !head.tally.answers.has(repoId)),
        answers: newestFrom(head.tally.answers, head).map(({ newest }) => answerEntity(newest, head, parts)),
        works: inForce === undefined ? [] : worksOn(inForce, parts),
        verifications:
          inForce === undefined
            ? []
            : newestFrom(inForce.tally.verifications, inForce).map((one) => verificationEntity(one, parts)),
        expectations: this.#newestOfRepos('expectation', expectationEntity, parts),
        trees: this.#newestOfRepos('tree', treeEntity, parts),
        merged: this.#newestOfRepos('merged', mergedEntity, parts),
        is_withdrawn: lastAgreed === undefined && this.#isWithdrawnBy(opening.author),
        is_retired: lastAgreed !== undefined && inForce === undefined,
        updated_at: newest.at,
        updated_by: this.#speakers.authorshipOf(newest).repo_id ?? '',
        parts: count,
      },
      source,
    )
  }

  /** All that was said, oldest first. */
  history(): ContractHistory {
    return this.#historyOf(this.#said.all())
  }

  recent(most: number, before?: string) {
    const { said, earlier } = this.#said.last(most, before)
    return { ...this.#historyOf(said), earlier, since: earlier === 0 ? undefined : said[0]?.id }
  }

  /** Undefined when the answer has no effect. */
  answer(statement: Statement) {
    return this.#historyOf([statement]).answers[0]
  }

  implementedBy(repoId: string) {
    const state = this.#versions.implementedBy(repoId)
    return state && revisionEntity(state, this.#parts())
  }

  acceptances(repoId: string, against: string) {
    const said = [...(this.#acceptances.get(against) ?? [])].sort(byTime)
    return this.#historyOf(said).answers.filter(
      ({ repo_id, action }) => repo_id === repoId && action === 'agree',
    )
  }

  /** The contract as it was without the newest statement. */
  before(): ContractEntity | undefined {
    const fold = new ContractFold(this.#context)
    const newest = this.#versions.sum().newest?.id
    for (const one of [...this.#said.all(), ...this.#redactions, ...this.#withdrawals, ...this.#registers])
      if (one.id !== newest) fold.add(one)
    return fold.entity()
  }

  #historyOf(said: readonly Statement[]): ContractHistory {
    const parts = this.#parts()
    const effective = new Set(said.filter((one) => this.#hasEffect(one)))
    const about = (id: unknown): VersionState => {
      const state = this.#versions.get(String(id))
      if (state === undefined)
        throw new TypeError('a statement with an effect is about a version that counts')
      return state
    }
    const of = (kind: string) => [...effective].filter((one) => one.kind === kind)
    return {
      revisions: of('revision')
        .map(({ id }) => revisionEntity(about(id), parts))
        .sort((a, b) => a.version - b.version),
      answers: of('answer').map((one) => answerEntity(one, about(one.body['revision']), parts)),
      works: of('work').map((one) => workEntity(one, about(one.body['revision']), parts)),
      verifications: of('verification').map((one) => verificationEntity(one, parts)),
      without_effect: said.filter((one) => !effective.has(one)).map(({ id }) => id),
    }
  }

  #inForce(): VersionState | undefined {
    const last = this.#versions.lastAgreed()
    if (last === undefined) return undefined
    const body = bodyOf(revisionKind, last.statement)
    return body.parent !== null && body.retire === true ? undefined : last
  }

  /** The revision in force cannot be redacted. */
  #parts(): ContractParts {
    const inForce = this.#inForce()?.statement.id
    const redactedWith = (id: string) => {
      const by = id === inForce ? undefined : this.#redactionOf.get(id)
      return by === undefined ? null : redactedBy(by, this.#speakers)
    }
    return { speakers: this.#speakers, redactedWith }
  }

  /** Whether the statement counts and its author is a party of the revision that it is about. */
  #hasEffect(statement: Statement): boolean {
    if (statement.kind === 'revision') return this.#versions.get(statement.id) !== undefined
    const state = this.#versions.get(String(statement.body['revision']))
    const { repo_id, counts } = this.#speakers.authorshipOf(statement)
    return state !== undefined && counts && repo_id !== null && isParty(state, repo_id)
  }

  /** In the order of the repos' ids; registers of other names are for daemons that know them. */
  #newestOfRepos<Entity>(
    kind: string,
    entityOf: (statement: Statement, parts: ContractParts) => Entity,
    parts: ContractParts,
  ): Entity[] {
    const said = [...this.#registers].filter((one) => one.kind === kind && registerSaidIn(one.body) === '')
    return newestOfRepos(said, this.#speakers)
      .filter(([repoId]) => this.#context.isPresent(repoId))
      .map(([, one]) => entityOf(one, parts))
  }

  #isWithdrawnBy(author: string): boolean {
    return this.#withdrawals.some((one) => {
      const { repo_id, counts } = this.#speakers.authorshipOf(one)
      return counts && repo_id === author
    })
  }
}

const KINDS_IN_HISTORY = new Set(['revision', 'answer', 'work', 'verification'])
const REGISTERS = new Set(['expectation', 'tree', 'merged'])

/** The parties' entries, in the order of the repos' ids. */
const newestFrom = <Said>(said: ReadonlyMap<string, Said>, state: VersionState): Said[] =>
  [...said.keys()]
    .filter((repoId) => isParty(state, repoId))
    .sort(compareText)
    .flatMap((repoId) => said.get(repoId) ?? [])

/** Ordered by when the work was started. */
const worksOn = (state: VersionState, parts: ContractParts) =>
  newestFrom(state.tally.works(), state)
    .map((one) => workEntity(one, state, parts))
    .sort((a, b) => compareText(a.started_at, b.started_at))
