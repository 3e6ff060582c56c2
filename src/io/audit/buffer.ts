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
export function createAuditBuffer() {
  let lines: AuditLine[] = []
  let alike = new Map<string, Series>()
  let series: Series[] = []
  let kindsOfRefusal = 0
  let lost = 0

  function addAlike(line: AuditLine, key: string, ids: readonly string[]): void {
    const same = alike.get(key)
    if (same !== undefined && same.ids.length + ids.length <= MOST_IDS) {
      same.ids.push(...ids)
      same.times++
      return
    }
    const begun = { line, place: lines.length, ids: [...ids], times: 1 }
    alike.set(key, begun)
    series.push(begun)
    lines.push(line)
  }

  function addRefusal(line: AuditLine): void {
    const own = likenessOf(line)
    if (alike.has(own) || kindsOfRefusal++ < MOST_KINDS_OF_REFUSAL) addAlike(line, own, [])
    else addAlike({ at: line.at, outcome: 'refused', what: OTHERS }, OTHERS, [])
  }

  return {
    isFilling: (): boolean => lines.length >= FILLING,
    add(line: AuditLine): void {
      const { outcome, requestId, ids = [] } = line
      if (lines.length >= MOST_WAITING) lost++
      else if (outcome === 'refused') addRefusal(line)
      else if (requestId === undefined) lines.push(line)
      else addAlike(line, `${requestId} ${line.what} ${line.projectId} ${line.fault}`, ids)
    },
    lose(count: number): void {
      lost += count
    },
    take(): { lines: readonly AuditLine[]; lost: number } {
      const taken = { lines, lost }
      for (const { line, place, ids, times } of series)
        if (times > 1) lines[place] = { ...line, ...(ids.length === 0 ? {} : { ids }), times }
      lines = []
      series = []
      alike = new Map()
      kindsOfRefusal = 0
      lost = 0
      return taken
    },
  }
}

const likenessOf = ({ fault, caller, agentId, credential, from, what, projectId }: AuditLine): string =>
  JSON.stringify([fault, caller, agentId, credential, from, what, projectId])
