import { firstPosition } from '../../protocol/collections/first-position.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { bodyOf } from '../statements/kind.ts'
import { revision as revisionKind } from '../statements/revision.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { isParty, stateOfVersion, type VersionState } from './agreement.ts'
import { plus, type Sum, Tally } from './tally.ts'

type Entry = Pick<VersionState, 'statement' | 'version' | 'author'>

interface OpeningCandidate {
  readonly statement: Statement
  /** Whether the founder confirmed that its author speaks for its repo. */
  readonly isConfirmed: boolean
}

const isOpening = ({ body }: Statement): boolean => body['parent'] === null

/** Confirmed authors come first: an unconfirmed one could pretend to an earlier time. */
export const byOpening = (a: OpeningCandidate, b: OpeningCandidate): number =>
  Number(b.isConfirmed) - Number(a.isConfirmed) || byTime(a.statement, b.statement)

const NOTHING_SAID: Sum = { count: 0, newest: undefined }

const sumOf = (state: VersionState): Sum =>
  plus(
    { count: 1, newest: state.statement },
    state.tally.sumOf((repoId) => isParty(state, repoId)),
  )

/** The order of the CACP document (version, then time), and the id, so that all replicas choose the same. */
const byPrecedence = (a: Entry, b: Entry): number => a.version - b.version || byTime(a.statement, b.statement)

/** The versions of a contract in order of precedence. A new statement affects only its own and higher versions. */
export class Versions {
  readonly #isPresent: (repoId: string) => boolean
  /** The revision that opens the contract: an unsigned id may be opened by several, of which one counts. */
  #opening: OpeningCandidate | undefined
  readonly #entries: Entry[] = []
  readonly #tallies = new Map<string, Tally>()
  /** The state of each entry, as far as it is computed; undefined for an entry that has no effect. */
  readonly #states: (VersionState | undefined)[] = []
  /** The states of the versions that count, and of those that are agreed. */
  readonly #counting: VersionState[] = []
  readonly #agreed: VersionState[] = []
  readonly #byId = new Map<string, VersionState>()
  /** By a version that counts, the number of such versions that build on it. */
  readonly #followers = new Map<VersionState, number>()
  readonly #ends = new Set<VersionState>()
  /** For each entry the sum up to it, as far as it is computed. */
  readonly #sums: Sum[] = []

  constructor(isPresent: (repoId: string) => boolean) {
    this.#isPresent = isPresent
  }

  add(statement: Statement, author: string, isConfirmed: boolean): void {
    if (isOpening(statement)) this.#open({ statement, isConfirmed })
    const entry = { statement, version: bodyOf(revisionKind, statement).version, author }
    const index = this.#placeOf(entry)
    this.#entries.splice(index, 0, entry)
    this.#forgetFrom(index)
  }

  #open(candidate: OpeningCandidate): void {
    if (this.#opening !== undefined && byOpening(this.#opening, candidate) < 0) return
    this.#forgetFrom(0)
    this.#opening = candidate
  }

  /** Adds an answer, work or verification. */
  note(statement: Statement, repoId: string): void {
    const revision = String(statement.body['revision'])
    this.#tallyOf(revision).note(statement, repoId)
    const place = this.#resum(revision)
    if (place !== undefined && statement.kind === 'answer') this.#forgetFrom(place)
  }

  /** Swaps a statement for the same statement with or without its content, also in the states that were handed out. */
  replace(before: Statement, after: Statement): void {
    if (before.kind !== revisionKind.name) {
      this.#tallies.get(String(before.body['revision']))?.replace(before, after)
      return
    }
    const { version } = bodyOf(revisionKind, before)
    const index = this.#placeOf({ statement: before, version, author: '' })
    const entry = this.#entries[index]
    if (entry?.statement === before) this.#entries[index] = { ...entry, statement: after }
    const state = this.#byId.get(before.id)
    if (state !== undefined) Object.assign(state, { statement: after })
  }

  /** The newest statement of this register does not count, and the one before it is replaced. */
  forgetWork(statement: Statement): void {
    const revision = String(statement.body['revision'])
    this.#tallyOf(revision).forgetWork(statement)
    this.#resum(revision)
  }

  /** Number and newest of the statements with an effect: versions that count, and what their parties said of them. */
  sum(): Sum {
    this.#settle()
    for (let index = this.#sums.length; index < this.#states.length; index++) {
      const state = this.#states[index]
      const before = this.#sums[index - 1] ?? NOTHING_SAID
      this.#sums.push(state === undefined ? before : plus(before, sumOf(state)))
    }
    return this.#sums.at(-1) ?? NOTHING_SAID
  }

  head(): VersionState | undefined {
    this.#settle()
    return this.#counting.at(-1)
  }

  opening(): VersionState | undefined {
    this.#settle()
    return this.#counting[0]
  }

  lastAgreed(): VersionState | undefined {
    this.#settle()
    return this.#agreed.at(-1)
  }

  get(id: string): VersionState | undefined {
    this.#settle()
    return this.#byId.get(id)
  }

  /** The newest version that a repo has completed. */
  implementedBy(repoId: string): VersionState | undefined {
    this.#settle()
    return this.#counting.findLast((state) => isParty(state, repoId) && state.tally.hasCompleted(repoId))
  }

  /** The versions that nothing builds on, in order of precedence. */
  ends(): VersionState[] {
    this.#settle()
    return [...this.#ends].sort(byPrecedence)
  }

  #settle(): void {
    for (let index = this.#states.length; index < this.#entries.length; index++) {
      const entry = this.#entries[index] as Entry
      const { statement } = entry
      const state =
        isOpening(statement) && statement.id !== this.#opening?.statement.id
          ? undefined
          : stateOfVersion({
              ...entry,
              tally: this.#tallyOf(statement.id),
              stateOf: (id) => this.#byId.get(id),
              isPresent: this.#isPresent,
            })
      this.#states.push(state)
      if (state !== undefined) this.#enter(state)
    }
  }

  #enter(state: VersionState): void {
    this.#byId.set(state.statement.id, state)
    this.#ends.add(state)
    this.#counting.push(state)
    if (state.isAgreed) this.#agreed.push(state)
    for (const parent of state.parents) {
      this.#followers.set(parent, 1 + (this.#followers.get(parent) ?? 0))
      this.#ends.delete(parent)
    }
  }

  /** Drops the computed states from this index on. */
  #forgetFrom(index: number): void {
    this.#sums.splice(index)
    for (const state of this.#states.splice(index).reverse()) {
      if (state === undefined) continue
      this.#byId.delete(state.statement.id)
      this.#followers.delete(state)
      this.#counting.pop()
      if (state.isAgreed) this.#agreed.pop()
      this.#ends.delete(state)
      for (const parent of state.parents) {
        const others = (this.#followers.get(parent) ?? 1) - 1
        this.#followers.set(parent, others)
        if (others === 0) this.#ends.add(parent)
      }
    }
  }

  /** Drops the sums from this version on. Returns its index, if it counts. */
  #resum(revision: string): number | undefined {
    const state = this.#byId.get(revision)
    if (state === undefined) return undefined
    const place = this.#placeOf(state)
    this.#sums.splice(place)
    return place
  }

  #tallyOf(revision: string): Tally {
    return getOrAdd(this.#tallies, revision, () => new Tally())
  }

  #placeOf(entry: Entry): number {
    return firstPosition(
      this.#entries.length,
      (position) => byPrecedence(this.#entries[position] as Entry, entry) < 0,
    )
  }
}
