import type { Statement } from '../../../domain/statements/statement.ts'
import type { View } from '../../../domain/view.ts'
import { positionAfter } from '../../log/change-log.ts'
import type { SequencedStatement } from '../../ports/ports.ts'

/** Where a durable statement stands in the order of this store. What it says is kept by the store alone. */
export interface Place {
  readonly seq: number
  readonly project_id: string
  readonly id: string
}

/**
 * All durable statements in their order, so that whoever has everything up to a seq gets what came since, however long
 * that is ago: state and cursor are the outbox. A register's older words are passed by.
 */
export class StatementLog {
  readonly #view: Pick<View, 'projects'>
  #order: Place[]
  #seq = 0
  #drops = 0
  /** How long the order may become before it is tidied. */
  #longest: number

  constructor(statements: Iterable<SequencedStatement>, view: Pick<View, 'projects'>) {
    this.#view = view
    this.#order = Array.from(statements, placeOf).sort((a, b) => a.seq - b.seq)
    this.#seq = this.#order.at(-1)?.seq ?? 0
    this.#longest = longestFor(this.#order.length)
  }

  /** The seq up to which everything is known here. */
  get seq(): number {
    return this.#seq
  }

  /** How many statements were dropped since the start: whoever sums up what is kept does so anew with each. */
  get drops(): number {
    return this.#drops
  }

  record(statements: readonly SequencedStatement[]): void {
    for (const one of statements) {
      if (one.isDropped) this.#drops++
      else this.#order.push(placeOf(one))
      this.#seq = one.seq
    }
    if (this.#order.length > this.#longest) this.#tidy()
  }

  /** What is kept of all that came after this seq, oldest first. */
  *after(seq: number): Iterable<Place & { readonly statement: Statement }> {
    const order = this.#order
    for (let position = positionAfter(seq, this.#order); position < order.length; position++) {
      const place = order[position]
      const statement = place && this.#kept(place)
      if (place !== undefined && statement !== undefined) yield { ...place, statement }
    }
  }

  /** How many came after this seq, also of those that others have replaced since. */
  countAfter(seq: number): number {
    return this.#order.length - positionAfter(seq, this.#order)
  }

  #kept({ project_id, id }: Place): Statement | undefined {
    return this.#view.projects.get(project_id)?.said.get(id)
  }

  /** Makes another list: somebody may be in the middle of reading the one that is there. */
  #tidy(): void {
    this.#order = this.#order.filter((place) => this.#kept(place) !== undefined)
    this.#longest = longestFor(this.#order.length)
  }
}

const placeOf = ({ seq, project_id, statement }: SequencedStatement): Place => ({
  seq,
  project_id,
  id: statement.id,
})

const longestFor = (statements: number): number => 2 * statements + 1000
