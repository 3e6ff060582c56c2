import { isDeepStrictEqual } from 'node:util'
import type { ValidateFunction } from 'ajv'
import { createInTurn } from '../../engine/ports/in-turn.ts'
import { Capabilities, type Capability, type ShapeCheck } from '../../protocol/agent/capability.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { loadAjv } from '../system/load-ajv.ts'
import { type Checked, checkInThread, type SchemaError, type ThreadRules } from './schema-thread.ts'

/** Our own schemas, which need no check before the start; loading the library for that would slow the start down. */
const OURS = Capabilities.parse(undefined)

/** A checked answer may be as long as that of a run. */
const RULES: ThreadRules = { millis: 5000, memoryMb: 256, allErrors: false }
const AT_ONCE = 4

/** Checks in a limited number of threads at once; further checks wait. */
type Check = (schema: JsonObject, value: Json) => Promise<Checked>

/**
 * Prepares the schemas of capabilities. Our own are simple. Those of config.json may have come with a cloned
 * repository, and even a well-meant pattern can take forever on some input: they are checked in threads of their own.
 * An unusable schema stops the start.
 */
export async function checkedCapabilities(capabilities: readonly Capability[], rules: ThreadRules = RULES) {
  const inTurn = createInTurn(AT_ONCE)
  const check: Check = (schema, value) => inTurn(() => checkInThread(schema, value, rules))
  return Promise.all(
    capabilities.map(async (capability) => ({
      ...capability,
      checkInputs: await shapeCheck(capability, 'inputs', check),
      checkOutputs: await shapeCheck(capability, 'outputs', check),
    })),
  )
}

async function shapeCheck(
  capability: Capability,
  part: 'inputs' | 'outputs',
  check: Check,
): Promise<ShapeCheck> {
  const schema = capability[part]
  if (OURS.some((own) => isDeepStrictEqual(own, capability))) return ownCheck(schema)
  const { problem } = await check(schema, null)
  if (problem !== undefined)
    throw new Error(`The ${part} of the capability ${capability.name} are not a JSON Schema: ${problem}`)
  return async (value) => {
    const checked = await check(schema, value)
    if (checked.problem !== undefined) return { field: '', problem: `cannot be checked: ${checked.problem}` }
    return checked.valid ? undefined : explained(checked.errors[0])
  }
}

/** Compiled at its first use. */
function ownCheck(schema: JsonObject): ShapeCheck {
  let known: ValidateFunction | undefined
  return async (value) => {
    known ??= newAjv().compile(schema)
    if (known(value)) return undefined
    const [error] = known.errors ?? []
    if (error === undefined) return explained(undefined)
    const { instancePath: path, message = MALFORMED, keyword, params } = error
    const missing = keyword === 'required' ? { missing: String(params['missingProperty']) } : {}
    return explained({ path, message, ...missing })
  }
}

function newAjv() {
  const { Ajv2020, addFormats } = loadAjv()
  const ajv = new Ajv2020({ strict: false, logger: false })
  addFormats(ajv)
  return ajv
}

const MALFORMED = 'is malformed'

function explained(error: SchemaError | undefined) {
  if (error === undefined) return { field: '', problem: MALFORMED }
  const { path, message, missing } = error
  const named = [...path.split('/').slice(1).map(unescaped), ...(missing === undefined ? [] : [missing])]
  return {
    field: named.join('.').slice(0, 200),
    problem: missing === undefined ? message : 'is required',
  }
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
