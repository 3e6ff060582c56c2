import type { Decision, LocalChange, StatementName } from '../../domain/change.ts'
import type { View } from '../../domain/view.ts'
import type { SequencedStatement, Store } from '../../engine/ports/ports.ts'
import type { StoredFiles } from './files/files.ts'
import {
  type Entry,
  type EntryText,
  isShared,
  type Serialized,
  type Sign,
  serializeDrop,
  serializeLocal,
  serializeOwn,
  serializeReceived,
} from './journal/entry.ts'
import { isAlwaysKept } from './quota.ts'
import { closed, degraded, quotaReached, tooManyWaiting } from './refusals.ts'
import type { Compaction, CompactionDeps } from './snapshot/compaction.ts'
import type { Undo } from './tables/redacted-contents.ts'
import type { Tables } from './tables/tables.ts'
import { FAILED_FOR_GOOD, type WriteHealth } from './write-health.ts'

interface StoreParts extends Pick<CompactionDeps, 'tables' | 'quota' | 'journal' | 'group'> {
  readonly id: string
  readonly files: StoredFiles
  readonly compaction: Compaction
  readonly writeHealth: WriteHealth
  readonly lock: AsyncDisposable
  readonly sign: Sign
  readonly recovered: boolean
}

type LocalListener = Parameters<Store['onLocal']>[0]

const MIB = 1024 * 1024

/** A shorter journal is cheaper to replay at the next start than to compact; a larger state takes too long to write. */
const COMPACT_AT_CLOSE = { journalBytes: MIB, stateBytes: 32 * MIB }

/** How much may wait to be written before further commits are refused: then the disk is too slow for the callers. */
const MAX_WAITING_CHARS = 64 * MIB

/** How often a read is repeated because a write that it had seen was undone. */
const MAX_READS = 10

/**
 * Holds the state in memory, decides in memory, and answers a call only when the journal has made its effect durable.
 */
export function createStore(parts: StoreParts): Store {
  const { id, tables, files, quota, journal, group, compaction, writeHealth, lock, sign, recovered } = parts
  const localListeners: LocalListener[] = []
  let closing: Promise<void> | undefined
  const { local } = tables
  const view: View = {
    projects: tables.projects,
    peers: local.peer,
    links: local.link,
    hubs: local.hub,
    shadows: local.shadow,
    keys: local.key,
    credentials: local.credential,
    invites: local.invite,
    tokens: local.token,
    sessions: local.session,
    guests: local.guest,
    agents: local.agent,
    acks: local.ack,
    usedTokens: local.used,
    uploads: local.upload,
    namings: local.naming,
    currents: local.current,
    projectsCalled: (name) => tables.projectsCalled(name),
    projectsNaming: (sha256) => tables.projectsNaming(sha256),
    answer: (key) => tables.answers.get(key),
    answers: () => tables.answers.all(),
    fileSize: files.size,
  }

  /** Applies a decision in memory, all or nothing, and hands its entries to the next journal frame. */
  function keep<Result>(decision: Decision<Result>): { result: Result; durable: Promise<void> } {
    if (journal.isDegraded) throw degraded()
    if (group.waitingChars > MAX_WAITING_CHARS) throw tooManyWaiting()
    const applied = new Applied(tables)
    try {
      for (const one of decision.drops ?? []) applied.drop(one)
      for (const one of decision.says ?? []) applied.add(serializeOwn(one, tables.seq + 1, sign))
      for (const one of decision.takes ?? []) applied.add(serializeReceived(one, tables.seq + 1))
      applied.strip()
      const result = answerOf(decision, view)
      for (const one of decision.local ?? []) applied.add(serializeLocal(one))
      for (const one of decision.keep?.(result) ?? []) applied.add(serializeLocal(one))
      assertRoomFor(applied, (decision.takes ?? []).length > 0)
      const kept = applied.entries.filter(isShared).map((entry) => tables.changeBy(entry))
      const shared = [...applied.dropped, ...kept]
      const durable = group.add(applied.texts, shared, () => applied.undo())
      if (decision.local !== undefined) tellLocal(decision.local, durable)
      return { result, durable }
    } catch (error) {
      applied.undo()
      throw error
    }
  }

  function tellLocal(changes: readonly LocalChange[], durable: Promise<void>): void {
    if (changes.length === 0 || localListeners.length === 0) return
    durable.then(
      () => {
        for (const listener of localListeners) listener(changes)
      },
      () => {}, // whoever made the changes gets the error
    )
  }

  function assertRoomFor({ chars, entries }: Applied, areOthers: boolean): void {
    const isExceeded = areOthers ? quota.isExceededByOthers(chars) : quota.isExceeded(chars)
    if (!isExceeded || isAlwaysKept(entries)) return
    writeHealth.refuseGrowth(chars)
    compaction.startToMakeRoom()
    throw quotaReached(quota.limit)
  }

  function isWorthCompacting(): boolean {
    const { journalBytes, stateBytes } = COMPACT_AT_CLOSE
    return !journal.isDegraded && journal.bytes > journalBytes && quota.used < stateBytes
  }

  async function close(): Promise<void> {
    writeHealth.close()
    try {
      await group.pending?.catch(() => {}) // its callers get the error
      await compaction.settled()
      if (isWorthCompacting()) await compaction.run()
      await files.close()
      await journal.close()
    } finally {
      await lock[Symbol.asyncDispose]()
    }
  }

  return {
    id,
    view,
    async commit(decide) {
      for (let reads = 1; ; reads++) {
        if (closing !== undefined) throw closed()
        const decision = decide(view)
        const { result, durable } = isReadOnly(decision)
          ? { result: answerOf(decision, view), durable: group.pending }
          : keep(decision)
        try {
          if (durable !== undefined) await durable
          return result
        } catch (error) {
          // A pending write that this read had seen failed and was undone, so the read is repeated: reading goes on
          // while writes fail.
          if (!isReadOnly(decision) || reads === MAX_READS) throw error
        }
      }
    },
    *statements() {
      for (const entry of [...tables.keptStatements()]) yield tables.changeBy(entry)
    },
    onDurable: group.onDurable,
    onLocal(listener) {
      localListeners.push(listener)
    },
    checkDiskSpace: writeHealth.checkRoom,
    health() {
      const problem = journal.isDegraded ? FAILED_FOR_GOOD : writeHealth.problem
      return {
        ...(problem === undefined ? { status: 'healthy' } : { status: 'degraded', problem }),
        recovered,
        seq: tables.seq,
        projects: tables.projects.size,
        statements: tables.statements,
        bytes: quota.used,
        quotaBytes: quota.limit,
      }
    },
    [Symbol.asyncDispose]() {
      closing ??= close()
      return closing
    },
  }
}

const isReadOnly = ({ drops = [], says = [], takes = [], local = [], keep }: Decision<unknown>): boolean =>
  drops.length + says.length + takes.length + local.length === 0 && keep === undefined

const answerOf = <Result>({ tell, result }: Decision<Result>, view: View): Result =>
  tell === undefined ? (result as Result) : tell(view)

/** The changes that one commit has made to the tables, with what undoes them. */
class Applied {
  readonly #tables: Tables
  readonly #undos: Undo[] = []
  readonly entries: Entry[] = []
  readonly dropped: SequencedStatement[] = []
  readonly texts: EntryText[] = []
  chars = 0

  constructor(tables: Tables) {
    this.#tables = tables
  }

  /** What the dropped statement changed has to be computed before it is gone. */
  drop(name: StatementName): void {
    const { projects, seq } = this.#tables
    const { parts } = projects.get(name.project_id) ?? {}
    const statement = parts?.said.get(name.id)
    if (parts === undefined || statement === undefined) return
    this.dropped.push({ ...parts.changeBy({ statement, seq: seq + 1, bytes: 0 }), isDropped: true })
    this.add(serializeDrop(name, seq + 1))
  }

  /** An entry that changes nothing, because it is known already, is neither written nor announced. */
  add({ entry, ...written }: Serialized<Entry>): void {
    const undo = this.#tables.apply(entry)
    if (undo === undefined) return
    this.#undos.push(undo)
    this.entries.push(entry)
    this.texts.push(written)
    this.chars += written.chars
  }

  strip(): void {
    this.#undos.push(this.#tables.strip())
  }

  undo(): void {
    for (const undo of this.#undos.splice(0).reverse()) undo()
  }
}
