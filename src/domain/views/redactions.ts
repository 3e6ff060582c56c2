import { bodyOf } from '../statements/kind.ts'
import { redaction as redactionKind } from '../statements/redaction.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import type { Redacted } from './entities.ts'
import type { Speakers } from './speakers.ts'

/** By the id of the redacted statement, the first redaction that counts. */
export function redactionsIn(redactions: readonly Statement[], speakers: Speakers): Map<string, Redacted> {
  const found = new Map<string, Redacted>()
  for (const one of [...redactions].sort(byTime)) {
    const { of } = bodyOf(redactionKind, one)
    if (speakers.authorshipOf(one).counts && !found.has(of)) found.set(of, redactedBy(one, speakers))
  }
  return found
}

export const redactedBy = (redaction: Statement, speakers: Speakers): Redacted => ({
  by: speakers.authorshipOf(redaction).agent_id,
  at: redaction.at,
  reason: bodyOf(redactionKind, redaction).reason,
})
