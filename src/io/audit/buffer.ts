import type { AuditLine } from '../../domain/trust/audit.ts'

/** Where the disk is slower than the calls, no more lines than this wait for it. */
const MOST_WAITING = 20_000
/** From here on it is written without waiting for more. */
const FILLING = 1000
/** Of refusals within one flush that differ: whoever tries everything must not wash away what others did. */
const MOST_KINDS_OF_REFUSAL = 50
const OTHERS = 'others'
/** The ids that one line tells at most. */
const MOST_IDS = 1000

interface Refusal {
  readonly line: AuditLine
  /** Its place among the lines. */
  readonly place: number
  times: number
}

/** Calls of one request, each of which did the same in the same project. */
interface Series {
  readonly line: AuditLine
  readonly place: number
  readonly ids: string[]
  times: number
}

/**
 * The lines that are not on disk yet. Refusals that are alike are one line that says how many they are; so are calls
 * that a peer makes by the hundred in one request, with the ids of all.
 */
export class AuditBuffer {
  #lines: AuditLine[] = []
  #refusals = new Map<string, Refusal>()
  #series: Series | undefined
  #lost = 0

  get isFilling(): boolean {
    return this.#lines.length >= FILLING
  }

  add(line: AuditLine): void {
    if (this.#lines.length >= MOST_WAITING) this.#lost++
    else if (line.outcome === 'refused') this.#addRefusal(line)
    else if (!this.#isContinued(line)) this.#begin(line)
  }

  /** So many lines could not be written. */
  lose(count: number): void {
    this.#lost += count
  }

  take(): { lines: readonly AuditLine[]; lost: number } {
    this.#endSeries()
    const [lines, lost] = [this.#lines, this.#lost]
    for (const { line, place, times } of this.#refusals.values())
      if (times > 1) lines[place] = { ...line, times }
    this.#lines = []
    this.#refusals = new Map()
    this.#lost = 0
    return { lines, lost }
  }

  #begin(line: AuditLine): void {
    this.#endSeries()
    const { requestId, ids = [] } = line
    if (requestId !== undefined) this.#series = { line, place: this.#lines.length, ids: [...ids], times: 1 }
    this.#lines.push(line)
  }

  #endSeries(): void {
    const series = this.#series
    this.#series = undefined
    if (series === undefined || series.times === 1) return
    const { line, place, ids, times } = series
    this.#lines[place] = { ...line, ids, times }
  }

  #isContinued(line: AuditLine): boolean {
    const series = this.#series
    const { ids = [] } = line
    if (series === undefined || !isSame(series.line, line)) return false
    if (series.ids.length + ids.length > MOST_IDS) return false
    series.ids.push(...ids)
    series.times++
    return true
  }

  #addRefusal(given: AuditLine): void {
    const own = likenessOf(given)
    const isOwn = this.#refusals.has(own) || this.#refusals.size < MOST_KINDS_OF_REFUSAL
    const key = isOwn ? own : OTHERS
    const same = this.#refusals.get(key)
    if (same !== undefined) {
      same.times++
      return
    }
    const line: AuditLine = isOwn ? given : { at: given.at, outcome: 'refused', what: OTHERS }
    this.#refusals.set(key, { line, place: this.#lines.length, times: 1 })
    this.#lines.push(line)
  }
}

/** One request has one caller, whose name and address need no second look. */
const isSame = (a: AuditLine, b: AuditLine): boolean =>
  a.requestId === b.requestId && a.what === b.what && a.projectId === b.projectId && a.fault === b.fault

const likenessOf = ({ fault, caller, agentId, credential, from, what, projectId }: AuditLine): string =>
  JSON.stringify([fault, caller, agentId, credential, from, what, projectId])
