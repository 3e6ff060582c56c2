import type { Finding, Rule } from '../model.ts'

/** Findings of one interface that are kept; a contract with more has other worries. */
const MOST = 100

/** Collects findings while content is read. */
export class Findings {
  readonly list: Finding[] = []

  add(rule: Rule, at: string, say: string): void {
    if (this.list.length >= MOST) return
    for (const found of this.list) if (found.at === at && found.rule === rule) return
    this.list.push({ rule, at, say })
  }
}
