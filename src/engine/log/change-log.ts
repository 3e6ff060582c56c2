import type { Change } from '../../domain/change.ts'
import { entityKey } from '../../domain/entity.ts'
import { firstPosition } from '../../protocol/collections/first-position.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'

/** The effort of preparing one change for reading, where 1 is that of taking it in. */
const PREPARING_EFFORT = 0.05

/**
 * Every entity once, at its last durable change, in the order of those changes. A reader that has read up to a
 * sequence number gets from here exactly what changed since, however long ago that was; so no queue of changes is
 * needed.
 */
export class ChangeLog {
  /** In order of seq once it was prepared; an outdated change stays until the next cleanup. */
  #order: Change[]
  /** Built when it is first needed: a daemon without peers needs it only after many changes. */
  #index: Index | undefined
  #seq = 0
  /** The length at which outdated changes are removed. */
  #maxLength: number

  constructor(changes: Iterable<Change>) {
    this.#order = Array.from(changes, nameOnly)
    this.#maxLength = maxLengthFor(this.#order.length)
    for (const { seq } of this.#order) if (seq > this.#seq) this.#seq = seq
  }

  /** The sequence number up to which all changes are known here. */
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
    if (this.#order.length > this.#maxLength) this.#removeOutdated()
  }

  get(key: string): Change | undefined {
    return this.#indexed().latest.get(key)
  }

  /** What changed after this sequence number, oldest first. */
  *after(seq: number): Iterable<Change> {
    const { latest } = this.#indexed()
    const order = this.#order
    for (let position = positionAfter(seq, this.#order); position < order.length; position++) {
      const change = order[position]
      if (change !== undefined && latest.get(entityKey(change)) === change) yield change
    }
  }

  /** What changed last before this sequence number, newest first. */
  *before(seq: number): Iterable<Change> {
    const { latest } = this.#indexed()
    const order = this.#order
    for (let position = positionAfter(seq - 1, order) - 1; position >= 0; position--) {
      const change = order[position]
      if (change !== undefined && latest.get(entityKey(change)) === change) yield change
    }
  }

  *within(projectId: string): Iterable<Change> {
    const { latest, byProject } = this.#indexed()
    for (const key of byProject.get(projectId) ?? []) {
      const change = latest.get(key)
      if (change !== undefined) yield change
    }
  }

  /** How many entities there are. */
  get size(): number {
    return this.#indexed().latest.size
  }

  /** How many changes came after this sequence number, also of entities that have changed again since. */
  countAfter(seq: number): number {
    this.#indexed()
    return this.#order.length - positionAfter(seq, this.#order)
  }

  /**
   * Builds the index for reading piece by piece, and yields the effort of each; a reader that comes earlier builds it
   * at once.
   */
  *prepare(): Generator<number, Index> {
    if (this.#index !== undefined) return this.#index
    this.#order.sort((a, b) => a.seq - b.seq)
    const index: Index = { latest: new Map(), byProject: new Map() }
    // The order may grow while this is suspended.
    for (const change of this.#order) {
      this.#enter(change, index)
      yield PREPARING_EFFORT
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

  #enter(change: Change, { latest, byProject }: Index): void {
    const key = entityKey(change)
    getOrAdd(byProject, change.project_id, () => new Set()).add(key)
    latest.set(key, change)
  }

  /** Makes a new list, because a reader may be in the middle of the old one. */
  #removeOutdated(): void {
    const { latest } = this.#indexed()
    this.#order = this.#order.filter((change) => latest.get(entityKey(change)) === change)
    this.#maxLength = maxLengthFor(this.#order.length)
  }
}

interface Index {
  /** By entity, its last change. */
  readonly latest: Map<string, Change>
  /** By project, the keys of its entities. */
  readonly byProject: Map<string, Set<string>>
}

/** Drops the statement itself, which the store keeps. */
const nameOnly = ({ kind, project_id, id, seq, isWide }: Change): Change => ({
  kind,
  project_id,
  id,
  seq,
  isWide,
})

const maxLengthFor = (entities: number): number => 2 * entities + 1000

/** The position of the first element after this sequence number, in a list sorted by it. */
export const positionAfter = (seq: number, order: readonly { readonly seq: number }[]): number =>
  firstPosition(order.length, (position) => (order[position]?.seq ?? 0) <= seq)
