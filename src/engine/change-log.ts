import type { Change } from '../domain/change.ts'
import { MarkCount } from './mark-count.ts'
import type { SequencedChange } from './ports.ts'

export const entityKey = ({ kind, project_id, id }: Pick<Change, 'kind' | 'project_id' | 'id'>): string =>
  `${kind} ${project_id} ${id}`

/**
 * Every entity once, at its last durable change, in the order of those changes. Whoever has read up to a
 * seq gets from here exactly what changed since, however long that is ago: state and cursor are the outbox.
 */
export class ChangeLog {
  readonly #latest = new Map<string, SequencedChange>()
  /** In order of seq; a change that was overtaken stays in place until the next tidying. */
  #order: SequencedChange[] = []
  /** Which places of the order are held by a change that was not overtaken. */
  #current = new MarkCount(0)
  #seq = 0

  constructor(changes: Iterable<SequencedChange>) {
    this.#order = [...changes].sort((a, b) => a.seq - b.seq)
    for (const change of this.#order) this.#latest.set(entityKey(change), change)
    this.#current = new MarkCount(this.#order.length)
    this.#seq = this.#order.at(-1)?.seq ?? 0
  }

  /** The seq up to which everything is known here. */
  get seq(): number {
    return this.#seq
  }

  record(changes: readonly SequencedChange[]): void {
    for (const change of changes) {
      const key = entityKey(change)
      const overtaken = this.#latest.get(key)
      if (overtaken !== undefined) this.#current.unmark(this.#positionAfter(overtaken.seq) - 1)
      this.#latest.set(key, change)
      this.#order.push(change)
      this.#current.append()
      this.#seq = change.seq
    }
    if (this.#order.length > 2 * this.#latest.size + 1000) this.#tidy()
  }

  get(key: string): SequencedChange | undefined {
    return this.#latest.get(key)
  }

  /** What changed after this seq, oldest first. */
  *after(seq: number): Iterable<SequencedChange> {
    const order = this.#order
    for (let position = this.#positionAfter(seq); position < order.length; position++) {
      const change = order[position]
      if (change !== undefined && this.#isLatest(change)) yield change
    }
  }

  /** How many entities changed after this seq. */
  countAfter(seq: number): number {
    return this.#latest.size - this.#current.before(this.#positionAfter(seq))
  }

  #tidy(): void {
    this.#order = this.#order.filter(this.#isLatest)
    this.#current = new MarkCount(this.#order.length)
  }

  readonly #isLatest = (change: SequencedChange): boolean => this.#latest.get(entityKey(change)) === change

  #positionAfter(seq: number): number {
    let low = 0
    let high = this.#order.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#order[middle]?.seq ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
