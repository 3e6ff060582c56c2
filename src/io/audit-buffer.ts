import type { AuditLine } from '../domain/audit.ts'

/** Where the disk is slower than the calls, no more than this waits for it. */
const MOST_WAITING = 20_000
/** From here on it is written without waiting for more. */
const FILLING = 1000
/** Of refusals within one flush that differ: whoever tries everything must not wash away what others did. */
const MOST_KINDS_OF_REFUSAL = 50
const OTHERS = 'others'

interface Refusal {
  readonly line: AuditLine
  /** Its place among the lines. */
  readonly place: number
  times: number
}

/** The lines that are not on disk yet. Refusals that are alike are one line that says how many they are. */
export class AuditBuffer {
  #lines: AuditLine[] = []
  #refusals = new Map<string, Refusal>()
  #lost = 0

  get isFilling(): boolean {
    return this.#lines.length >= FILLING
  }

  add(line: AuditLine): void {
    if (this.#lines.length >= MOST_WAITING) this.#lost++
    else if (line.outcome === 'refused') this.#addRefusal(line)
    else this.#lines.push(line)
  }

  /** So many lines could not be written. */
  lose(count: number): void {
    this.#lost += count
  }

  take(): { lines: readonly AuditLine[]; lost: number } {
    const [lines, lost] = [this.#lines, this.#lost]
    for (const { line, place, times } of this.#refusals.values())
      if (times > 1) lines[place] = { ...line, times }
    this.#lines = []
    this.#refusals = new Map()
    this.#lost = 0
    return { lines, lost }
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

const likenessOf = ({ fault, caller, agentId, credential, from, what, projectId }: AuditLine): string =>
  JSON.stringify([fault, caller, agentId, credential, from, what, projectId])
