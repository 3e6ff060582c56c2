import { bodyOf } from '../statements/kind.ts'
import { redaction as redactionKind } from '../statements/redaction.ts'
import { byTime, type Statement } from '../statements/statement.ts'
import type { Redacted } from './entities.ts'
import type { Speakers } from './speakers.ts'

/**
 * By the statement whose content was taken away, the first redaction of it that counts. Whoever gave its repo back may
 * still take away what it said before.
 */
export function redactionsIn(redactions: readonly Statement[], speakers: Speakers): Map<string, Redacted> {
  const found = new Map<string, Redacted>()
  for (const one of [...redactions].sort(byTime)) {
    const { of, reason } = bodyOf(redactionKind, one)
    const { counts, mark, agent_id } = speakers.wordOf(one)
    if ((counts || mark === 'released') && !found.has(of)) found.set(of, { by: agent_id, at: one.at, reason })
  }
  return found
}
