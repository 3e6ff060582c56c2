import type { JsonObject } from '../../../protocol/json/json.ts'
import type { Finding, Form, Operation } from '../model.ts'
import type { Findings } from './found.ts'
import { lintOperations } from './lint-operations.ts'
import { lintSchemas } from './lint-schemas.ts'
import { lintSecrets } from './secrets.ts'

/** What two people would build differently from the same contract. Nothing here is about style, and nothing blocks. */
export function lint(
  { form, operations, value }: { form: Form; operations: readonly Operation[]; value: JsonObject },
  findings: Findings,
): readonly Finding[] {
  lintOperations(form, operations, findings)
  lintSchemas(operations, findings)
  lintSecrets(value, findings)
  return findings.list
}
