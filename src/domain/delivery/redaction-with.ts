import { hasLostContent, type Statement } from '../statements/statement.ts'
import type { View } from '../view.ts'

/**
 * What has to be sent together with a statement that has lost its content, because nobody takes it in without: one of its
 * redactions, after the rotations that introduced the key of that redaction. A peer that got the statement alone would
 * keep it in memory until the redaction comes, and forget it if it were killed meanwhile.
 */
export function redactionWith(statement: Statement, { projects }: Pick<View, 'projects'>): Statement[] {
  if (!hasLostContent(statement)) return []
  const said = projects.get(statement.project_id)?.said
  const [redaction] = said?.redactionsOf(statement.id) ?? []
  const chain: Statement[] = []
  for (let one = redaction; one !== undefined && one.kind !== 'claim'; one = said?.fact(one.under ?? ''))
    chain.unshift(one)
  return chain
}
