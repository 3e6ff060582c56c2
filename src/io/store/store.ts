import type { Decision } from '../../domain/change.ts'
import type { View } from '../../domain/view.ts'
import type { SequencedChange, Store, StoreHealth } from '../../engine/ports.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Compaction } from './compaction.ts'
import { type Condition, FAILED_FOR_GOOD } from './condition.ts'
import { type Entry, isShared, type Serialized, serializeLocal, serializeShared } from './entry.ts'
import type { StoredFiles } from './files.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Journal } from './journal.ts'
import { isAlwaysKept, type Quota } from './quota.ts'
import { closed, degraded, entityTooLarge, quotaReached } from './refusals.ts'
import type { Tables, Undo } from './tables.ts'

export interface StoreParts {
  readonly id: string
  readonly tables: Tables
  readonly files: StoredFiles
  readonly quota: Quota
  readonly journal: Journal
  readonly group: GroupCommit
  readonly compaction: Compaction
  readonly condition: Condition
  readonly lock: AsyncDisposable
  readonly recovered: boolean
}

const MIB = 1024 * 1024

/** A shorter journal is cheaper to replay at the next start than to compact; a larger state takes too long to write. */
const COMPACT_AT_CLOSE = { journalBytes: MIB, stateBytes: 32 * MIB }

/** How often a read looks again because what it saw was taken back. */
const MAX_LOOKS = 10

/** State in memory, decided on in memory, answered for by the journal. */
export class JournaledStore implements Store {
  readonly view: View
  readonly #parts: StoreParts
  #closing: Promise<void> | undefined

  constructor(parts: StoreParts) {
    const { tables, files } = parts
    this.#parts = parts
    this.view = {
      projects: tables.projects,
      peers: tables.peers,
      links: tables.links,
      marks: tables.marks,
      shadows: tables.shadows,
      keys: tables.keys,
      credentials: tables.credentials,
      invites: tables.invites,
      tokens: tables.tokens,
      guests: tables.guests,
      agents: tables.agents,
      acks: tables.acks,
      usedTokens: tables.usedTokens,
      uploads: tables.uploads,
      namings: tables.namings,
      projectsNaming: (sha256) => tables.projectsNaming(sha256),
      answer: (key) => tables.answers.get(key),
      fileSize: (sha256) => files.size(sha256),
    }
  }

  async commit<Result>(decide: (view: View) => Decision<Result>): Promise<Result> {
    for (let looks = 1; ; looks++) {
      if (this.#closing !== undefined) throw closed()
      const decision = decide(this.view)
      const durable = isReadOnly(decision) ? this.#parts.group.pending : this.#keep(decision)
      try {
        if (durable !== undefined) await durable
        return decision.result
      } catch (error) {
        // What it saw has been taken back, so it looks again: reading goes on while writes fail.
        if (!isReadOnly(decision) || looks === MAX_LOOKS) throw error
      }
    }
  }

  get id(): string {
    return this.#parts.id
  }

  changes(): Iterable<SequencedChange> {
    return this.#parts.tables.copyEntries().entities
  }

  onDurable(listener: (changes: readonly SequencedChange[]) => void): void {
    this.#parts.group.onDurable(listener)
  }

  health(): StoreHealth {
    const { tables, quota, journal, condition, recovered } = this.#parts
    const problem = journal.isDegraded ? FAILED_FOR_GOOD : condition.problem
    return {
      ...(problem === undefined ? { status: 'healthy' } : { status: 'degraded', problem }),
      recovered,
      seq: tables.seq,
      projects: tables.projects.size,
      entities: tables.entities,
      bytes: quota.used,
      quotaBytes: quota.limit,
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Applies the changes in memory, all or none, and hands them to the next frame. */
  #keep(decision: Decision<unknown>): Promise<void> {
    const { tables, quota, journal, group, condition } = this.#parts
    if (journal.isDegraded) throw degraded()
    const serialized = serialize(decision, tables.seq)
    const entries = serialized.map(({ entry }) => entry)
    const usedBefore = quota.used
    const undo = applyAll(tables, entries)
    if (quota.isExceeded && quota.used > usedBefore && !isAlwaysKept(entries)) {
      condition.refuseGrowth(quota.used - usedBefore)
      undo()
      throw quotaReached(quota.limit)
    }
    return group.add(serialized.map(({ text }) => text).join(','), entries.filter(isShared), undo)
  }

  get #isWorthCompacting(): boolean {
    const { journal, quota } = this.#parts
    const { journalBytes, stateBytes } = COMPACT_AT_CLOSE
    return !journal.isDegraded && journal.bytes > journalBytes && quota.used < stateBytes
  }

  async #close(): Promise<void> {
    const { group, journal, compaction, condition, files, lock } = this.#parts
    condition.close()
    try {
      await group.pending?.catch(() => {}) // told to those who wait for it
      await compaction.settled()
      if (this.#isWorthCompacting) await compaction.run()
      await files.close()
      await journal.close()
    } finally {
      await lock[Symbol.asyncDispose]()
    }
  }
}

const isReadOnly = ({ changes = [], local = [] }: Decision<unknown>): boolean =>
  changes.length + local.length === 0

/** A merge was measured when it was made, by a bound of its own. */
function serialize(
  { changes = [], local = [], isMerge }: Decision<unknown>,
  seq: number,
): Serialized<Entry>[] {
  const shared = changes.map((change, index) => serializeShared(change, seq + 1 + index))
  for (const { entry } of isMerge ? [] : shared) {
    if (entry.bytes > LIMITS.entityBytes) throw entityTooLarge(entry.kind, entry.id, entry.bytes)
  }
  return [...shared, ...local.map(serializeLocal)]
}

function applyAll(tables: Tables, entries: readonly Entry[]): Undo {
  const undos: Undo[] = []
  const undoAll = () => {
    for (const undo of undos.toReversed()) undo()
  }
  try {
    for (const entry of entries) undos.push(tables.apply(entry))
  } catch (error) {
    undoAll()
    throw error
  }
  return undoAll
}
