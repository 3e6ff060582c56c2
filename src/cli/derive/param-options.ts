import { InvalidArgumentError, Option } from 'commander'
import * as z from 'zod'
import type { AnyMethod } from '../../methods/row.ts'
import { readAs } from '../../protocol/read-as.ts'
import { quoted } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { commandOf, kebab } from './kebab.ts'
import { FILE_FORMS, readFileParam } from './local-file.ts'
import type { Params } from './method-form.ts'
import { JSON_FORMS, readJson, readJsonOrText } from './read-json.ts'

type Schema = z.core.JSONSchema.BaseSchema

interface KindRow {
  readonly placeholder: string
  /** From what commander parsed to what the method wants; `what` names the option in errors. */
  read(value: unknown, what: string, terminal: Terminal): unknown
}

const asGiven = (value: unknown): unknown => value

const KINDS = {
  text: { placeholder: '<text>', read: asGiven },
  textOrNull: { placeholder: '<text|null>', read: (value) => (value === 'null' ? null : value) },
  texts: { placeholder: '<text...>', read: asGiven },
  // A word is not parsed as an option is.
  number: { placeholder: '<number>', read: (value) => (isNumber(value) ? Number(value) : value) },
  boolean: { placeholder: '[boolean]', read: (value) => value === 'true' },
  json: { placeholder: '<json>', read: (value, ...context) => readJson(String(value), ...context) },
  jsonOrText: {
    placeholder: '<json|text>',
    read: (value, ...context) => readJsonOrText(String(value), ...context),
  },
  file: { placeholder: '<path|json>', read: (value, ...context) => readFileParam(String(value), ...context) },
} as const satisfies Record<string, KindRow>

type Kind = keyof typeof KINDS
/** The forms of those that are not plain text. All of them can come from stdin. */
const FORMS: ReadonlyMap<Kind, string> = new Map([
  ['json', JSON_FORMS],
  ['jsonOrText', JSON_FORMS],
  ['file', FILE_FORMS],
])

/** One param of a method as an option of its command. */
export interface ParamOption {
  /** As the method spells it. */
  readonly key: string
  readonly kind: Kind
  readonly option: Option
}

/** The options of a method's command, from the schema of its params. */
export function paramOptions(row: Pick<AnyMethod, 'params'>): ParamOption[] {
  const { properties = {}, required = [] } = z.toJSONSchema(row.params, {
    io: 'input',
    unrepresentable: 'any',
  })
  return Object.entries(properties).map(([key, property]) => {
    const schema = typeof property === 'object' ? property : {}
    const kind = kindOf(schema, required.includes(key))
    const names = namesOf(key, properties).map((name) => `--${kebab(name)}`)
    const option = new Option(`${names.join(', ')} ${KINDS[kind].placeholder}`, describe(schema, kind))
    if (kind === 'number') option.argParser(parseNumber)
    if (kind === 'boolean') option.choices(['true', 'false']).preset('true')
    if (schema.enum !== undefined) option.choices(schema.enum.map(String))
    return { key, kind, option: option.makeOptionMandatory(required.includes(key)) }
  })
}

/** `--project` is as good as `--project-id`, where it means nothing else. */
function namesOf(key: string, params: object): string[] {
  const [, short] = /^(project|contract|packet|repo|status)(?:Id|Name|AtLeast)$/.exec(key) ?? []
  return short === undefined || short in params ? [key] : [short, key]
}

function kindOf(schema: Schema, isRequired: boolean): Kind {
  const all = alternatives(schema)
  const [first, ...others] = all.filter(({ type }) => type !== 'null')
  if (first === undefined || others.length > 0)
    return [first, ...others].some((one) => one?.type === 'string') ? 'jsonOrText' : 'json'
  // What is optional is left out instead.
  if (first.type === 'string') return isRequired && all.length > 1 ? 'textOrNull' : 'text'
  if (first.type === 'boolean') return 'boolean'
  if (first.properties !== undefined && 'sha256' in first.properties) return 'file'
  if (first.type === 'integer' || first.type === 'number') return 'number'
  return typeof first.items === 'object' && 'type' in first.items && first.items.type === 'string'
    ? 'texts'
    : 'json'
}

const alternatives = (schema: Schema): Schema[] => schema.anyOf?.flatMap(alternatives) ?? [schema]

function describe({ description, default: byDefault }: Schema, kind: Kind): string {
  const notes = [FORMS.get(kind) ?? [], isTelling(byDefault) ? `default: ${String(byDefault)}` : []].flat()
  return [description ?? '', notes.length === 0 ? '' : `(${notes.join('; ')})`].filter(Boolean).join(' ')
}

/** That nothing is given when nothing is given goes without saying. */
const isTelling = (byDefault: unknown): boolean =>
  byDefault !== undefined && byDefault !== '' && typeof byDefault !== 'object'

const isNumber = (value: unknown): boolean => String(value).trim() !== '' && Number.isFinite(Number(value))

function parseNumber(text: string): number {
  if (!isNumber(text)) throw new InvalidArgumentError('It must be a number.')
  return Number(text)
}

/** The params that a parsed command line means. */
export async function readParams(options: readonly ParamOption[], values: Params, terminal: Terminal) {
  const given = options
    .map((one) => ({ ...one, value: values[one.option.attributeName()] }))
    .filter(({ value }) => value !== undefined)
  if (given.filter(({ kind, value }) => value === '-' && FORMS.has(kind)).length > 1)
    throw new UsageError('Only one value can come from stdin')
  const params: Record<string, unknown> = {}
  for (const { key, kind, option, value } of given)
    params[key] = await KINDS[kind].read(value, `--${option.name()}`, terminal)
  return params
}

/** Refuses here what the daemon would refuse, in words of the command line. */
export function assertValid(
  { params: schema }: Pick<AnyMethod, 'params'>,
  options: readonly ParamOption[],
  params: Params,
): void {
  readAs(schema, params, ({ field, problem, isMissing }) => {
    const [key, ...inside] = field.split('.')
    const flag = options.find((one) => one.key === key)?.option.long ?? key
    const place = [flag, ...inside].join('.')
    return new UsageError(isMissing ? `${place} is missing` : `${place}: ${problem}`)
  })
}

/** The words that say these params on a command line: the inverse of parsing them. */
export function wordsFor(options: readonly ParamOption[], params: Params) {
  return options.flatMap(({ key, kind, option }) => {
    const value = params[key]
    if (value === undefined) return []
    const isWord = typeof value === 'string' && kind !== 'json'
    const words = kind === 'texts' ? (value as string[]) : [isWord ? value : JSON.stringify(value)]
    return [`--${option.name()}`, ...words]
  })
}

export function commandLine(
  row: Pick<AnyMethod, 'name' | 'params'>,
  given: Params,
  { options = paramOptions(row), self = 'cacpd' }: { options?: readonly ParamOption[]; self?: string } = {},
): string {
  const paths = options.flatMap(({ key, kind }) =>
    kind === 'file' ? (given[key] as { name: string }).name : [],
  )
  const others = options.filter(({ kind }) => kind !== 'file')
  const words = [...commandOf(row.name), ...paths, ...wordsFor(others, given)]
  return `${self} ${words.map(quoted).join(' ')}`
}
