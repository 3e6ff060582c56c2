import type { AnyMethod } from '../../methods/row.ts'
import { Fault } from '../../protocol/fault.ts'
import { findUnstorable } from '../../protocol/json/json.ts'
import { findPlaceholder, PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import { fieldFault, readAs } from '../../protocol/read-as.ts'

/** The params as the row describes them; the Fault names the field that is wrong. */
export function readParams(row: AnyMethod, params: unknown): unknown {
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw new Fault('invalid_params', 'Invalid params: params must be an object of named values', {
      next: nextStep(row, ''),
    })
  // The objects that peers send are checked one by one when they are admitted, so that a bad one costs only itself.
  if (!row.refusesInResult && !row.judgesParts) assertOwnWords(params)
  return readAs(row.params, params ?? {}, (misfit) =>
    fieldFault(misfit, { lead: 'Invalid params: ', whole: '', next: (field) => nextStep(row, field) }),
  )
}

/** For all methods: refuses values that cannot be stored, and placeholders of our own hints that were not filled in. */
function assertOwnWords(params: unknown): void {
  const unstorable = findUnstorable(params)
  if (unstorable !== undefined) throw new Fault('invalid_params', `Invalid params: ${unstorable}`)
  const placeholder = findPlaceholder(params)
  if (placeholder === undefined) return
  const field = placeholder.join('.').slice(0, SHOWN_FIELD_LENGTH)
  throw new Fault(
    'invalid_params',
    `Invalid params: ${field}: ${PLACEHOLDER} stands there for your own text`,
    { next: `Put your own text there instead of ${PLACEHOLDER}, and call it again`, data: { field } },
  )
}

const SHOWN_FIELD_LENGTH = 200

const nextStep = (row: AnyMethod, field: string): string =>
  row.hint?.(field) ?? `See the params of ${row.name} in GET /openrpc.json or docs/METHODS.md`
