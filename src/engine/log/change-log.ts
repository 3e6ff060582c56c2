import type { Change } from '../../domain/change.ts'
import { entityKey } from '../../domain/entity.ts'
import { MarkCount } from './mark-count.ts'
import { placeAfter } from './place-after.ts'

/** The effort of making one change ready to be read, where 1 is that of taking it in. */
const PREPARING = 0.05

/**
 * Every entity once, at its last durable change, in the order of those changes. Whoever has read up to a
 * seq gets from here exactly what changed since, however long that is ago: state and cursor are the outbox.
 */
export class ChangeLog {
  /** In order of seq, as soon as it is asked for; a change that was overtaken stays until the next tidying. */
  #order: Change[]
  /** What finds its way through the order. A daemon without peers needs it only after many changes. */
  #index: Index | undefined
  #seq = 0
  /** How long the order may become before it is tidied. */
  #longest: number

  constructor(changes: Iterable<Change>) {
    this.#order = Array.from(changes, nameOnly)
    this.#longest = longestFor(this.#order.length)
    for (const { seq } of this.#order) if (seq > this.#seq) this.#seq = seq
  }

  /** The seq up to which everything is known here. */
  get seq(): number {
    return this.#seq
  }

  record(changes: readonly Change[]): void {
    for (const change of changes) {
      const named = nameOnly(change)
      this.#order.push(named)
      this.#seq = named.seq
      if (this.#index !== undefined) this.#enter(named, this.#index)
    }
    if (this.#order.length > this.#longest) this.#tidy()
  }

  get(key: string): Change | undefined {
    return this.#indexed().latest.get(key)
  }

  /** What changed after this seq, oldest first. */
  *after(seq: number): Iterable<Change> {
    const { latest } = this.#indexed()
    const order = this.#order
    for (let position = placeAfter(seq, this.#order); position < order.length; position++) {
      const change = order[position]
      if (change !== undefined && latest.get(entityKey(change)) === change) yield change
    }
  }

  /** All entities of a project, each at its last change, in no particular order. */
  *within(projectId: string): Iterable<Change> {
    const { latest, byProject } = this.#indexed()
    for (const key of byProject.get(projectId) ?? []) {
      const change = latest.get(key)
      if (change !== undefined) yield change
    }
  }

  /** How many entities changed after this seq. */
  countAfter(seq: number): number {
    const { latest, current } = this.#indexed()
    return latest.size - current.before(placeAfter(seq, this.#order))
  }

  /** Makes ready what reading needs, piece by piece, and tells the effort of each; whoever reads before makes it at once. */
  *prepare(): Generator<number, Index> {
    if (this.#index !== undefined) return this.#index
    this.#order.sort((a, b) => a.seq - b.seq)
    const index: Index = { latest: new Map(), byProject: new Map(), current: new MarkCount(0) }
    // It may grow meanwhile.
    for (const change of this.#order) {
      this.#enter(change, index)
      yield PREPARING
      if (this.#index !== undefined) return this.#index
    }
    this.#index = index
    return index
  }

  #indexed(): Index {
    if (this.#index !== undefined) return this.#index
    const making = this.prepare()
    for (;;) {
      const { done, value } = making.next()
      if (done === true) return value
    }
  }

  /** The order must be known up to this change. */
  #enter(change: Change, { latest, byProject, current }: Index): void {
    const key = entityKey(change)
    const overtaken = latest.get(key)
    if (overtaken !== undefined) current.unmark(placeAfter(overtaken.seq, this.#order) - 1)
    else keysOf(byProject, change.project_id).add(key)
    latest.set(key, change)
    current.append()
  }

  /** Makes another list: somebody may be in the middle of reading the one that is there. */
  #tidy(): void {
    const { latest, byProject } = this.#indexed()
    this.#order = this.#order.filter((change) => latest.get(entityKey(change)) === change)
    this.#index = { latest, byProject, current: new MarkCount(this.#order.length) }
    this.#longest = longestFor(this.#order.length)
  }
}

interface Index {
  /** By entity. */
  readonly latest: Map<string, Change>
  /** The keys of its entities. */
  readonly byProject: Map<string, Set<string>>
  /** Which places of the order are held by a change that was not overtaken. */
  readonly current: MarkCount
}

/** What was said is kept by the store. */
const nameOnly = ({ kind, project_id, id, seq, isWide }: Change): Change => ({
  kind,
  project_id,
  id,
  seq,
  isWide,
})

function keysOf(byProject: Map<string, Set<string>>, projectId: string): Set<string> {
  const known = byProject.get(projectId) ?? new Set()
  byProject.set(projectId, known)
  return known
}

const longestFor = (entities: number): number => 2 * entities + 1000
