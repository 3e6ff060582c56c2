import type { Finding, Interface } from '../model.ts'
import type { Findings } from './found.ts'
import { lintOperations } from './lint-operations.ts'
import { lintSchemas } from './lint-schemas.ts'
import { lintSecrets } from './secrets.ts'

/** What two people would build differently from the same contract. Nothing here is about style, and nothing blocks. */
export function lint(
  { form, operations, content }: Pick<Interface, 'form' | 'operations' | 'content'>,
  findings: Findings,
): readonly Finding[] {
  lintOperations(form, operations, findings)
  lintSchemas(operations, findings)
  lintSecrets(content, findings)
  return findings.list
}
