import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import type { ErrorObject, ValidateFunction } from 'ajv'
import {
  Capabilities,
  type Capability,
  type CheckedCapability,
  type ShapeCheck,
} from '../protocol/capability.ts'
import type { JsonObject } from '../protocol/json.ts'

const load = createRequire(import.meta.url)

/** Those that need no look before the start, which the library would make a good deal longer. */
const OURS = Capabilities.parse(undefined)

/**
 * Makes the schemas of capabilities ready for use. They are the operator's own words, so unlike the schemas in
 * contracts they need no thread of their own. One that cannot be used stops the start.
 */
export function checkedCapabilities(capabilities: readonly Capability[]): readonly CheckedCapability[] {
  return capabilities.map((capability) => ({
    ...capability,
    checkInputs: shapeCheck(capability, 'inputs'),
    checkOutputs: shapeCheck(capability, 'outputs'),
  }))
}

function shapeCheck(capability: Capability, part: 'inputs' | 'outputs'): ShapeCheck {
  let known: ValidateFunction | undefined
  const ready = () => {
    known ??= compiled(capability[part], `${part} of the capability ${capability.name}`)
    return known
  }
  if (!OURS.some((own) => isDeepStrictEqual(own, capability))) ready()
  return (value) => {
    const validate = ready()
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    return error === undefined ? { field: '', problem: 'is malformed' } : explained(error)
  }
}

function compiled(schema: JsonObject, what: string): ValidateFunction {
  try {
    return newAjv().compile(schema)
  } catch (error) {
    throw new Error(`The ${what} are not a JSON Schema: ${(error as Error).message.slice(0, 300)}`)
  }
}

/** Required, because these packages export themselves in a way that type-checked imports do not understand. */
function newAjv() {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const addFormats = load('ajv-formats') as (ajv: unknown) => void
  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormats(ajv)
  return ajv
}

function explained({ instancePath, keyword, params, message = 'is malformed' }: ErrorObject) {
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : []
  const path = instancePath.split('/').slice(1).map(unescaped)
  const field = [...path, ...missing].join('.').slice(0, 200)
  return { field, problem: missing.length > 0 ? 'is required' : message }
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
