import type { AnyMethod } from '../../methods/row.ts'
import { Fault } from '../../protocol/fault.ts'
import { findUnstorable } from '../../protocol/json/json.ts'
import { findPlaceholder, PLACEHOLDER } from '../../protocol/json/placeholder.ts'
import { fieldFault, readAs } from '../../protocol/read-as.ts'

/** Params checked against the row, or one sentence that names the field. */
export function readParams(row: AnyMethod, params: unknown): unknown {
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw new Fault('invalid_params', 'Invalid params: params must be an object of named values', {
      next: nextStep(row, ''),
    })
  // What peers hand over is looked at part by part when it is admitted, so that one bad part costs only itself.
  if (!row.refusesInResult && !row.judgesParts) assertOwnWords(params)
  return readAs(row.params, params ?? {}, (misfit) =>
    fieldFault(misfit, { lead: 'Invalid params: ', whole: '', next: (field) => nextStep(row, field) }),
  )
}

/** Whatever the method: what cannot be kept, and what an advice left for the caller to write. */
function assertOwnWords(params: unknown): void {
  const unstorable = findUnstorable(params)
  if (unstorable !== undefined) throw new Fault('invalid_params', `Invalid params: ${unstorable}`)
  const placeholder = findPlaceholder(params)
  if (placeholder === undefined) return
  const field = placeholder.join('.').slice(0, FIELD_LENGTH)
  throw new Fault(
    'invalid_params',
    `Invalid params: ${field}: ${PLACEHOLDER} stands there for your own text`,
    {
      next: `Put your own text there instead of ${PLACEHOLDER}, and call it again`,
      data: { field },
    },
  )
}

/** Of a path in a message. */
const FIELD_LENGTH = 200

const nextStep = (row: AnyMethod, field: string): string =>
  row.hint?.(field) ?? `See the params of ${row.name} in GET /openrpc.json or docs/METHODS.md`
