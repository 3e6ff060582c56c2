import { takenUntil } from '../../domain/hub/record.ts'
import { isAhead, latestAcceptedTime, redate } from '../../domain/speaking/redate.ts'
import { localWithIds } from '../../domain/speaking/renewed-ids.ts'
import { EARLIEST, latest, type Stamp } from '../../protocol/stamp.ts'
import type { Parts } from '../parts.ts'
import type { SequencedStatement } from '../ports/ports.ts'
import { repeat } from '../timing/repeat.ts'

/** What was done about statements with a time in the future. */
export interface RepairedStatements {
  /** How many were replaced by new ones with the right time. */
  readonly count: number
  /** How many stay, because another daemon may have admitted them. */
  readonly left: number
}

const RESTATED = 'replaced statements from the time when the clock was ahead by new ones with the right time'
const KEPT =
  'left statements from the time when the clock was ahead, because other daemons may have them; they count when their time has come'

export interface ClockAheadRepairDeps
  extends Pick<Parts, 'self' | 'store' | 'clock' | 'timers' | 'rules' | 'failed'> {
  /** Left out where nobody reads that. */
  readonly onClockRepaired?: ((repaired: RepairedStatements, sentence: string) => void) | undefined
}

/**
 * Other daemons do not admit statements from the future, so what this daemon stated while its clock was ahead reaches
 * nobody until that time. When the clock has been set right, between two starts or while running, those statements
 * are replaced by new ones with the right time.
 */
export class ClockAheadRepair implements AsyncDisposable {
  readonly #deps: ClockAheadRepairDeps
  /** The newest stamp of our statements, without those that lay in the future at the last repair. */
  #newest: Stamp = EARLIEST
  #checking: AsyncDisposable | undefined
  #isEnded = false

  constructor(deps: ClockAheadRepairDeps) {
    this.#deps = deps
    deps.store.onDurable((statements) => this.#noteNewest(statements))
  }

  /** Examines all statements from before the start. */
  async begin(): Promise<void> {
    const { timers, rules } = this.#deps
    await this.#repair()
    if (!this.#isEnded) this.#checking = repeat(timers, rules.repairEveryMillis, () => this.#check())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    await this.#checking?.[Symbol.asyncDispose]()
  }

  #noteNewest(statements: readonly SequencedStatement[]): void {
    const { keyId } = this.#deps.self.signer
    for (const { statement, isDropped } of statements)
      if (!isDropped && statement.key === keyId && statement.at > this.#newest) this.#newest = statement.at
  }

  async #check(): Promise<void> {
    const isSteppedBack = this.#newest > latestAcceptedTime(this.#deps.clock.now())
    if (isSteppedBack) await this.#repair()
  }

  async #repair(): Promise<void> {
    const { view } = this.#deps.store
    const newest = this.#newest
    this.#newest = EARLIEST
    const ids = Array.from(view.projects.oldestFirst(), ({ project }) => project.project_id)
    try {
      for (const id of ids)
        if (isAhead(view.projects.get(id)?.said ?? [], this.#speaker())) await this.#repairProject(id)
      this.#newest = latest([this.#newest, ...this.#newestWithinClock()])
    } catch (error) {
      // The store could not be written; the next check tries again.
      this.#newest = latest([newest, this.#newest])
      this.#deps.failed?.(error)
    }
  }

  /** By project, our newest statement that does not lie in the future, in case the clock is set back later. */
  *#newestWithinClock(): Iterable<Stamp> {
    const { clock, self, store } = this.#deps
    const horizon = latestAcceptedTime(clock.now())
    for (const { said } of store.view.projects.oldestFirst()) {
      const newest = said.newestBy(self.signer.keyId)
      if (newest !== undefined && newest <= horizon) yield newest
    }
  }

  async #repairProject(projectId: string): Promise<void> {
    const repaired = await this.#deps.store.commit((view) => {
      const { says, drops, ids, left } = redate(view.projects.get(projectId)?.said ?? [], this.#speaker())
      const local = localWithIds(view, projectId, ids)
      return { drops, says, local, result: { count: says.length, left } }
    })
    this.#deps.onClockRepaired?.(repaired, repaired.left === 0 ? RESTATED : KEPT)
  }

  #speaker() {
    const { clock, self, store } = this.#deps
    return { now: clock.now(), key: self.signer.keyId, takenUntil: takenUntil(store.view) }
  }
}
