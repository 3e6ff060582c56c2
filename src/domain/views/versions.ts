import { bodyOf } from '../statements/kind.ts'
import { revision as revisionKind } from '../statements/revision.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import { isParty, type Standing, standingOf } from './agreement.ts'
import { plus, type Sum, Tally } from './tally.ts'

interface Entry {
  readonly statement: Statement
  readonly version: number
  readonly author: string
}

interface Opened {
  readonly statement: Statement
  /** Whether the founder confirmed that its author speaks for its repo. */
  readonly isConfirmed: boolean
}

const isOpening = ({ body }: Statement): boolean => body['parent'] === null

/** Whoever is confirmed comes before those who are not, of whom anybody can pretend to an earlier time. */
export const byOpening = (a: Opened, b: Opened): number =>
  Number(b.isConfirmed) - Number(a.isConfirmed) || byTime(a.statement, b.statement)

const NOTHING_SAID: Sum = { count: 0, newest: undefined }

const sumOf = (standing: Standing): Sum =>
  plus(
    { count: 1, newest: standing.statement },
    standing.tally.sumOf((repoId) => isParty(standing, repoId)),
  )

/** The document's rule (version, then time), and the id, without which two replicas could differ for ever. */
const byPrecedence = (a: Entry, b: Entry): number => a.version - b.version || byTime(a.statement, b.statement)

/**
 * The versions of a contract in order of precedence. What arrives is looked at together with the higher versions
 * only, so that one more word costs the same however long the history is.
 */
export class Versions {
  readonly #isPresent: (repoId: string) => boolean
  /** The only one of those that open the contract which counts: an id that nobody signed may be given by several. */
  #opening: Opened | undefined
  readonly #entries: Entry[] = []
  readonly #tallies = new Map<string, Tally>()
  /** How each entry stands, as far as that is known. */
  readonly #standings: (Standing | undefined)[] = []
  /** Of these, those that count, and of those the agreed ones. */
  readonly #counting: Standing[] = []
  readonly #agreed: Standing[] = []
  readonly #byId = new Map<string, Standing>()
  /** By a version that counts, how many that count build on it. */
  readonly #followers = new Map<Standing, number>()
  readonly #ends = new Set<Standing>()
  /** Of each entry with all before it, as far as somebody asked. */
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

  #open(candidate: Opened): void {
    if (this.#opening !== undefined && byOpening(this.#opening, candidate) < 0) return
    this.#forgetFrom(0)
    this.#opening = candidate
  }

  /** Something that was said about one of them. */
  note(statement: Statement, repoId: string): void {
    const revision = String(statement.body['revision'])
    this.#tallyOf(revision).note(statement, repoId)
    const place = this.#resum(revision)
    if (place !== undefined && statement.kind === 'answer') this.#forgetFrom(place)
  }

  /** The same statement with or without its content. Whoever holds how it stands sees that, too. */
  replace(before: Statement, after: Statement): void {
    if (before.kind !== revisionKind.name) {
      this.#tallies.get(String(before.body['revision']))?.replace(before, after)
      return
    }
    const { version } = bodyOf(revisionKind, before)
    const index = this.#placeOf({ statement: before, version, author: '' })
    const entry = this.#entries[index]
    if (entry?.statement === before) this.#entries[index] = { ...entry, statement: after }
    const standing = this.#byId.get(before.id)
    if (standing !== undefined) Object.assign(standing, { statement: after })
  }

  /** The author of this register does not count any more, and neither does what it said before. */
  forgetWork(statement: Statement): void {
    const revision = String(statement.body['revision'])
    this.#tallyOf(revision).forgetWork(statement)
    this.#resum(revision)
  }

  /** All of it that has an effect: the versions that count, and what their parties said about them. */
  sum(): Sum {
    this.#settle()
    for (let index = this.#sums.length; index < this.#standings.length; index++) {
      const standing = this.#standings[index]
      const below = this.#sums[index - 1] ?? NOTHING_SAID
      this.#sums.push(standing === undefined ? below : plus(below, sumOf(standing)))
    }
    return this.#sums.at(-1) ?? NOTHING_SAID
  }

  /** Those that count, the head last. */
  all(): Standing[] {
    this.#settle()
    return [...this.#counting]
  }

  head(): Standing | undefined {
    this.#settle()
    return this.#counting.at(-1)
  }

  opening(): Standing | undefined {
    this.#settle()
    return this.#counting[0]
  }

  lastAgreed(): Standing | undefined {
    this.#settle()
    return this.#agreed.at(-1)
  }

  get(id: string): Standing | undefined {
    this.#settle()
    return this.#byId.get(id)
  }

  /** Those that nobody built on, in order of precedence. */
  ends(): Standing[] {
    this.#settle()
    return [...this.#ends].sort(byPrecedence)
  }

  #settle(): void {
    for (let index = this.#standings.length; index < this.#entries.length; index++) {
      const entry = this.#entries[index] as Entry
      const { statement } = entry
      const standing =
        isOpening(statement) && statement.id !== this.#opening?.statement.id
          ? undefined
          : standingOf({
              ...entry,
              tally: this.#tallyOf(statement.id),
              standingOf: (id) => this.#byId.get(id),
              isPresent: this.#isPresent,
            })
      this.#standings.push(standing)
      if (standing !== undefined) this.#enter(standing)
    }
  }

  #enter(standing: Standing): void {
    this.#byId.set(standing.statement.id, standing)
    this.#ends.add(standing)
    this.#counting.push(standing)
    if (standing.isAgreed) this.#agreed.push(standing)
    for (const below of standing.below) {
      this.#followers.set(below, 1 + (this.#followers.get(below) ?? 0))
      this.#ends.delete(below)
    }
  }

  /** Everything from this place on has to be looked at again. */
  #forgetFrom(index: number): void {
    this.#sums.splice(index)
    for (const standing of this.#standings.splice(index).reverse()) {
      if (standing === undefined) continue
      this.#byId.delete(standing.statement.id)
      this.#followers.delete(standing)
      this.#counting.pop()
      if (standing.isAgreed) this.#agreed.pop()
      this.#ends.delete(standing)
      for (const below of standing.below) {
        const others = (this.#followers.get(below) ?? 1) - 1
        this.#followers.set(below, others)
        if (others === 0) this.#ends.add(below)
      }
    }
  }

  /** Something else was said about this version. Returns its place, if it counts. */
  #resum(revision: string): number | undefined {
    const standing = this.#byId.get(revision)
    if (standing === undefined) return undefined
    const place = this.#placeOf(standing)
    this.#sums.splice(place)
    return place
  }

  #tallyOf(revision: string): Tally {
    const tally = this.#tallies.get(revision) ?? new Tally()
    this.#tallies.set(revision, tally)
    return tally
  }

  #placeOf(entry: Entry): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (byPrecedence(this.#entries[middle] as Entry, entry) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
