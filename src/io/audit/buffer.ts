import type { AuditLine } from '../../domain/trust/audit.ts'

/** How many lines may wait when the disk is slower than the calls; further ones are counted as lost. */
const MOST_WAITING = 20_000
/** From this number of lines on, they are written without waiting for more. */
const FILLING = 1000
/** How many different refusals one flush lists, so that a flood of them does not displace other lines. */
const MOST_KINDS_OF_REFUSAL = 50
const OTHERS = 'others'
const MOST_IDS = 1000

/** Lines that are alike and become one. */
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
  #series: Series[] = []
  #alike = new Map<string, Series>()
  #kindsOfRefusal = 0
  #lost = 0

  get isFilling(): boolean {
    return this.#lines.length >= FILLING
  }

  add(line: AuditLine): void {
    const { outcome, requestId, ids = [] } = line
    if (this.#lines.length >= MOST_WAITING) this.#lost++
    else if (outcome === 'refused') this.#addRefusal(line)
    else if (requestId === undefined) this.#lines.push(line)
    else this.#addAlike(line, `${requestId} ${line.what} ${line.projectId} ${line.fault}`, ids)
  }

  lose(count: number): void {
    this.#lost += count
  }

  take(): { lines: readonly AuditLine[]; lost: number } {
    const [lines, lost] = [this.#lines, this.#lost]
    for (const { line, place, ids, times } of this.#series)
      if (times > 1) lines[place] = { ...line, ...(ids.length === 0 ? {} : { ids }), times }
    this.#lines = []
    this.#series = []
    this.#alike = new Map()
    this.#kindsOfRefusal = 0
    this.#lost = 0
    return { lines, lost }
  }

  #addAlike(line: AuditLine, key: string, ids: readonly string[]): void {
    const same = this.#alike.get(key)
    if (same !== undefined && same.ids.length + ids.length <= MOST_IDS) {
      same.ids.push(...ids)
      same.times++
      return
    }
    const series = { line, place: this.#lines.length, ids: [...ids], times: 1 }
    this.#alike.set(key, series)
    this.#series.push(series)
    this.#lines.push(line)
  }

  #addRefusal(line: AuditLine): void {
    const own = likenessOf(line)
    if (this.#alike.has(own) || this.#kindsOfRefusal++ < MOST_KINDS_OF_REFUSAL) this.#addAlike(line, own, [])
    else this.#addAlike({ at: line.at, outcome: 'refused', what: OTHERS }, OTHERS, [])
  }
}

const likenessOf = ({ fault, caller, agentId, credential, from, what, projectId }: AuditLine): string =>
  JSON.stringify([fault, caller, agentId, credential, from, what, projectId])
