import { RunError, type SchemaCheck } from '../../engine/ports/run-ports.ts'
import { checkInThread } from './schema-thread.ts'

/** Characters of JSON. */
const MOST_SCHEMA = 128 * 1024
const MOST_VALUE = 512 * 1024
const MEMORY_MB = 64

/** Checks payloads against the schemas in contracts, which others wrote. */
export function createSchemaCheck({ millis = 5000 }: { millis?: number } = {}): SchemaCheck {
  const rules = { millis, memoryMb: MEMORY_MB, allErrors: true }
  return async (schema, value, signal) => {
    assertSize(schema, MOST_SCHEMA, 'The schema')
    assertSize(value, MOST_VALUE, 'The payload')
    const checked = await checkInThread(schema, value, rules, signal)
    if (checked.problem === undefined) {
      const errors = checked.errors.map(({ path, message }) => `${path || '/'} ${message}`)
      return { valid: checked.valid, errors }
    }
    if (checked.kind !== undefined) throw new RunError({ kind: checked.kind, message: checked.problem })
    throw invalid(`The contract's JSON Schema cannot be used: ${checked.problem}`)
  }
}

function assertSize(value: unknown, most: number, what: string): void {
  if (JSON.stringify(value).length > most) throw invalid(`${what} is larger than ${most / 1024} KiB of JSON`)
}

const invalid = (message: string): RunError => new RunError({ kind: 'invalid_params', message })
