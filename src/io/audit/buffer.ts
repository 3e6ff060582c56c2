import type { AuditLine } from '../../domain/trust/audit.ts'

/** How many lines may wait when the disk is slower than the calls; further ones are counted as lost. */
const MOST_WAITING = 20_000
/** From this number of lines on, they are written without waiting for more. */
const FILLING = 1000
/** How many different refusals one flush lists, so that a flood of them does not displace other lines. */
const MOST_KINDS_OF_REFUSAL = 50
const OTHERS = 'others'
/** How many ids one line names at most. */
const MOST_IDS = 1000

interface Refusal {
  readonly line: AuditLine
  /** Its index among the lines. */
  readonly place: number
  times: number
}

/** Calls of one request that did the same in the same project. */
interface Series {
  readonly line: AuditLine
  readonly place: number
  readonly ids: string[]
  times: number
}

/**
 * The audit lines that are not written yet. Equal refusals become one line with their number; so do the many calls
 * that a peer makes in one request, with the ids of all of them.
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

  /** Counts lines that could not be written. */
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

/** Caller and address need not be compared, because they belong to the request. */
const isSame = (a: AuditLine, b: AuditLine): boolean =>
  a.requestId === b.requestId && a.what === b.what && a.projectId === b.projectId && a.fault === b.fault

const likenessOf = ({ fault, caller, agentId, credential, from, what, projectId }: AuditLine): string =>
  JSON.stringify([fault, caller, agentId, credential, from, what, projectId])
