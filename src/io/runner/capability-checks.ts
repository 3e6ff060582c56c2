import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import type { ValidateFunction } from 'ajv'
import {
  Capabilities,
  type Capability,
  type CheckedCapability,
  type ShapeCheck,
} from '../../protocol/agent/capability.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { type Checked, checkInThread, type SchemaError, type ThreadRules } from './schema-thread.ts'

const load = createRequire(import.meta.url)

/** Those that need no look before the start, which the library would make a good deal longer. */
const OURS = Capabilities.parse(undefined)

/** An answer that is checked may be as long as a run may be. */
const RULES: ThreadRules = { millis: 5000, memoryMb: 256, allErrors: false }
const AT_ONCE = 4

/**
 * Makes the schemas of capabilities ready for use. Our own are plain. Those of config.json may have come with a cloned
 * repository, and even a well-meant pattern can take for ever over what a caller sends: they are used in threads of
 * their own. One that cannot be used stops the start.
 */
export async function checkedCapabilities(
  capabilities: readonly Capability[],
  rules: ThreadRules = RULES,
): Promise<readonly CheckedCapability[]> {
  const threads = new Threads(rules)
  return Promise.all(
    capabilities.map(async (capability) => ({
      ...capability,
      checkInputs: await shapeCheck(capability, 'inputs', threads),
      checkOutputs: await shapeCheck(capability, 'outputs', threads),
    })),
  )
}

async function shapeCheck(
  capability: Capability,
  part: 'inputs' | 'outputs',
  threads: Threads,
): Promise<ShapeCheck> {
  const schema = capability[part]
  if (OURS.some((own) => isDeepStrictEqual(own, capability))) return ownCheck(schema)
  const { problem } = await threads.check(schema, null)
  if (problem !== undefined)
    throw new Error(`The ${part} of the capability ${capability.name} are not a JSON Schema: ${problem}`)
  return async (value) => {
    const checked = await threads.check(schema, value)
    if (checked.problem !== undefined) return { field: '', problem: `cannot be checked: ${checked.problem}` }
    return checked.valid ? undefined : explained(checked.errors[0])
  }
}

/** Checks in so many threads at once; who comes then waits for a turn. */
class Threads {
  readonly #rules: ThreadRules
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(rules: ThreadRules) {
    this.#rules = rules
  }

  async check(schema: JsonObject, value: Json): Promise<Checked> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await checkInThread(schema, value, this.#rules)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}

/** Compiled with its first use, as ours need no look before. */
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

/** Required, because these packages export themselves in a way that type-checked imports do not understand. */
export function loadAjv() {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const addFormats = load('ajv-formats') as (ajv: unknown) => void
  return { Ajv2020, addFormats }
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
