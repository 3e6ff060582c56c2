import type { Finding, Rule } from '../model.ts'

/** Findings of one interface that are kept; a contract with more has other worries. */
const MOST = 100

/** Collects findings while content is read. */
export class Findings {
  readonly list: Finding[] = []
  readonly #seen = new Set<string>()

  add(rule: Rule, at: string, say: string): void {
    const key = `${rule} ${at}`
    if (this.#seen.has(key) || this.list.length >= MOST) return
    this.#seen.add(key)
    this.list.push({ rule, at, say })
  }
}
