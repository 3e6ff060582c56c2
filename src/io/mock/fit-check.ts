import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Slot } from '../../domain/interface/model.ts'
import { standaloneOf } from '../../domain/interface/payload/standalone.ts'
import type { Fits, Misfit } from '../../domain/mock/fits.ts'
import { isTame } from '../../domain/mock/tame.ts'
import { defined } from '../../protocol/collections/defined.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { oncePer } from '../../protocol/collections/once-per.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import { loadAjv, loadOldAjv } from '../system/load-ajv.ts'
import { withinTime } from './time-limit.ts'

const MOST_MISFITS = 20
const LONGEST = 200
const NONE: readonly Misfit[] = []
/** What others wrote can take for ever to compile and to compare with; a busy machine takes its time, too. */
const COMPILE_MILLIS = 5000
const CHECK_MILLIS = 1000

/** Undefined where that cannot be told. */
type Check = (value: unknown) => readonly Misfit[] | undefined

/** Compares values with the schemas of contracts by a validator of JSON Schema. Each schema is compiled once. */
export function createFits(): Fits {
  const compilers = createCompilers()
  const values = oncePer((slot: Slot) => checkOf(slot, compilers.values))
  const texts = oncePer((slot: Slot) => checkOf(slot, compilers.texts, asText))
  return {
    value: (slot, value) => tried(values(slot), value),
    texts(slot, given) {
      const check = texts(slot)
      let first: readonly Misfit[] | undefined
      for (const read of readings(given)) {
        const misfits = tried(check, { value: read })
        if (misfits === undefined || misfits.length === 0) return misfits
        first ??= misfits
      }
      return first
    },
  }
}

function tried(check: Check, value: unknown): readonly Misfit[] | undefined {
  try {
    return check(value)
  } catch {
    return undefined
  }
}

function checkOf(
  slot: Slot,
  compile: Compile,
  wrap: (schema: JsonObject) => JsonObject = (schema) => schema,
): Check {
  if (slot.schema === null) return () => NONE
  const schema = wrap(standaloneOf(slot.schema, slot.sender, slot.at).schema)
  try {
    const validate = compile(schema, false)
    let every: ValidateFunction | undefined
    const isQuick = isTame(schema)
    const errorsOf = (value: unknown) => {
      every ??= compile(schema, true)
      withinTime(() => every?.(value), CHECK_MILLIS)
      return every.errors
    }
    return (value) => {
      const isValid = isQuick ? validate(value) : withinTime(() => validate(value), CHECK_MILLIS)
      if (isValid) return NONE
      const first = validate.errors ?? []
      return misfitsOf(slot, tidy(orFirst(() => errorsOf(value), first)))
    }
  } catch {
    return () => undefined
  }
}

function orFirst(find: () => ErrorObject[] | null | undefined, first: readonly ErrorObject[]) {
  try {
    return find() ?? first
  } catch {
    return first
  }
}

/** That none of several branches fits says less than why not, where that is said too. */
const AROUND = new Set(['anyOf', 'oneOf', 'if'])

function tidy(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const inner = errors.filter(({ keyword }) => !AROUND.has(keyword))
  return inner.length === 0 ? errors : inner
}

function misfitsOf({ at, isText }: Slot, errors: readonly ErrorObject[]): readonly Misfit[] {
  const byPlace = new Map<string, Misfit>()
  for (const { instancePath, keyword, params, message = 'is malformed' } of errors) {
    const pieces = instancePath.split('/').slice(isText === true ? 2 : 1)
    const steps = pieces.map((piece) => piece.replaceAll('~1', '/').replaceAll('~0', '~'))
    const isMissing = keyword === 'required'
    if (isMissing) steps.push(String(params['missingProperty']))
    const place = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
    const where = `${at}${place}`.slice(0, LONGEST)
    if (!byPlace.has(where))
      byPlace.set(where, { at: where, problem: (isMissing ? 'is required' : message).slice(0, LONGEST) })
    if (byPlace.size === MOST_MISFITS) break
  }
  return [...byPlace.values()]
}

/** Inside of an object, because only what is inside of something can be read as another type. */
const asText = ({ $schema, $defs, ...schema }: JsonObject): JsonObject => ({
  ...defined({ $schema, $defs }),
  type: 'object',
  properties: { value: schema },
})

/** What a parameter may mean: a text, several, several in one text, or JSON. */
function* readings(texts: readonly string[]): Generator<Json> {
  const [first = ''] = texts
  if (texts.length > 1) yield [...texts]
  else {
    yield first
    if (first.includes(',')) yield first.split(',')
    const json = jsonIn(first) as Json | undefined
    if (json !== undefined) yield json
  }
}

/** `isEvery`: whether it tells all errors of a value, and not only the first. */
type Compile = (schema: JsonObject, isEvery: boolean) => ValidateFunction

function createCompilers(): { readonly values: Compile; readonly texts: Compile } {
  const { Ajv2020, addFormats } = loadAjv()
  const Ajv = loadOldAjv()
  const made = (coerceTypes: 'array' | false): Compile => {
    const known = new Map<string, InstanceType<typeof Ajv>>()
    return (schema, isEvery) => {
      const isOld = schema['$schema'] !== undefined
      const ajv = getOrAdd(known, `${isOld} ${isEvery}`, () => {
        const options = { strict: false, logger: false, coerceTypes, allErrors: isEvery } as const
        const fresh = isOld ? new Ajv(options) : new Ajv2020(options)
        addFormats(fresh)
        return fresh
      })
      const validate = withinTime(() => ajv.compile(schema), COMPILE_MILLIS)
      // It is kept here, as long as the contract counts.
      ajv.removeSchema(schema)
      return validate
    }
  }
  return { values: made(false), texts: made('array') }
}
