import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import type { Capability, CheckedCapability, ShapeCheck } from '../protocol/capability.ts'
import type { JsonObject } from '../protocol/json.ts'

// Required, because these packages export themselves in a way that type-checked imports do not understand.
const load = createRequire(import.meta.url)
const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
const addFormats = load('ajv-formats') as (ajv: unknown) => void

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
  const validate = compiled(capability[part], `${part} of the capability ${capability.name}`)
  return (value) => {
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    return error === undefined ? { field: '', problem: 'is malformed' } : explained(error)
  }
}

function compiled(schema: JsonObject, what: string) {
  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormats(ajv)
  try {
    return ajv.compile(schema)
  } catch (error) {
    throw new Error(`The ${what} are not a JSON Schema: ${(error as Error).message.slice(0, 300)}`)
  }
}

function explained({ instancePath, keyword, params, message = 'is malformed' }: ErrorObject) {
  const missing = keyword === 'required' ? [String(params['missingProperty'])] : []
  const path = instancePath.split('/').slice(1).map(unescaped)
  const field = [...path, ...missing].join('.').slice(0, 200)
  return { field, problem: missing.length > 0 ? 'is required' : message }
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
