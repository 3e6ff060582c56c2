import {
  type Declaration,
  type Field,
  isObject,
  type Literal,
  type ObjectShape,
  type Section,
  type Shape,
  sectionTexts,
  type Type,
} from './declaration.ts'
import { asciiText, Names } from './names.ts'

export const RESERVED: readonly string[] = ['Nullable', 'Some', 'Null']

export const COMMENT = '//'

/** What encoding/json takes as the name of a field; any other would be ignored without a word. */
const TAG = /^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u
const RAW = 'json.RawMessage'

/** Sections as Go 1.18 or newer, as gofmt writes it. */
export function write(sections: readonly Section[], { packageName }: { packageName: string }): string {
  const named = sections.flatMap(({ declarations }) => declarations.map(({ name }) => name))
  const names = new Names([...RESERVED, ...named])
  const circles = circlesIn(sections.flatMap(({ declarations }) => declarations))
  const text = sectionTexts(sections, COMMENT, (one) => declared(one, { names, circles })).join('')
  const isNullable = text.includes('Nullable[')
  const imports = isNullable || text.includes(RAW) ? '\nimport "encoding/json"\n' : ''
  return `\npackage ${packageName}\n${imports}${text}${isNullable ? NULLABLE : ''}`
}

interface Around {
  readonly names: Names
  /** Structs that would hold themselves, unless it is by a pointer. */
  readonly circles: ReadonlySet<string>
}

function declared({ name, is }: Declaration, { names, circles }: Around): string {
  if (isObject(is))
    return isMap(is) ? `\ntype ${name} map[string]${RAW}\n` : structText(name, is.fields, circles)
  const text = typeText(is)
  // An own type of raw text would be sent as base64, and one of another type would lose its methods.
  const isAlias = text === RAW || is.isNullable || is.shape.kind === 'named'
  const { shape } = is
  return `\ntype ${name} ${isAlias ? '= ' : ''}${text}\n${shape.kind === 'literals' && !isAlias ? constants(name, shape.values, names) : ''}`
}

const isUntaggable = ({ name }: Field): boolean => !TAG.test(name)

/** What a struct could not keep, a map does: names that are no tag, and declared others. */
const isMap = ({ fields, hasOthers }: ObjectShape): boolean => hasOthers || fields.some(isUntaggable)

/** The declarations that hold themselves by value, in whatever many steps. */
function circlesIn(declarations: readonly Declaration[]): ReadonlySet<string> {
  const held = new Map(declarations.map(({ name, is }) => [name, heldBy(is)]))
  const reaches = (from: string): boolean => {
    const seen = new Set<string>()
    const next = [...(held.get(from) ?? [])]
    for (let name = next.pop(); name !== undefined; name = next.pop()) {
      if (name === from) return true
      if (seen.has(name)) continue
      seen.add(name)
      for (const inner of held.get(name) ?? []) next.push(inner)
    }
    return false
  }
  return new Set([...held.keys()].filter(reaches))
}

function heldBy(is: Declaration['is']): readonly string[] {
  if (!isObject(is)) return is.shape.kind === 'named' && !is.isNullable ? [is.shape.name] : []
  if (isMap(is)) return []
  return is.fields.flatMap(({ type: { shape, isNullable }, isRequired }) =>
    shape.kind === 'named' && isRequired && !isNullable ? [shape.name] : [],
  )
}

function structText(name: string, fields: readonly Field[], circles: ReadonlySet<string>): string {
  if (fields.length === 0) return `\ntype ${name} struct{}\n`
  const own = new Names()
  const rows = fields.map((field) => {
    const tag = `json:"${field.name}${field.isRequired ? (field.name === '-' ? ',' : '') : ',omitempty'}"`
    const quoted = tag.includes('`') ? JSON.stringify(tag) : `\`${tag}\``
    return [own.take(field.name, 'Field'), fieldType(field, circles), quoted]
  })
  const [widest, wider] = [0, 1].map((at) => longestOf(rows.map((row) => row[at] ?? '')))
  const lines = rows.map(
    ([field = '', type = '', tag = '']) =>
      `\t${field.padEnd(widest ?? 0)} ${type.padEnd(wider ?? 0)} ${tag}\n`,
  )
  return `\ntype ${name} struct {\n${lines.join('')}}\n`
}

/** Null is a pointer to nothing, what is left out as well; what may be both tells them apart. */
function fieldType({ type, isRequired }: Field, circles: ReadonlySet<string>): string {
  const text = typeText(type)
  if (isRequired && circles.has(text)) return `*${text}`
  if (isRequired || text === RAW) return text
  return type.isNullable ? `Nullable[${shapeText(type.shape)}]` : `*${text}`
}

function typeText({ shape, isNullable }: Type): string {
  const text = shapeText(shape)
  return isNullable && text !== RAW ? `*${text}` : text
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case 'any':
    case 'never':
    case 'union':
      return RAW
    case 'literals':
      return literalType(shape.values)
    case 'list':
      return `[]${typeText(shape.of)}`
    case 'map':
      return `map[string]${typeText(shape.of)}`
    case 'named':
      return shape.name
    default:
      return SIMPLE[shape.kind]
  }
}

const SIMPLE = { boolean: 'bool', integer: 'int64', number: 'float64', string: 'string' } as const

function literalType(values: readonly Literal[]): string {
  const kinds = new Set(values.map((value) => typeof value))
  if (kinds.size !== 1) return RAW
  if (kinds.has('string')) return 'string'
  if (kinds.has('boolean')) return 'bool'
  return values.every((value) => Number.isSafeInteger(value)) ? 'int64' : 'float64'
}

function constants(name: string, values: readonly Literal[], names: Names): string {
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length < values.length || texts.some((text) => !text.isWellFormed())) return ''
  const rows = texts.map((text) => [names.take(`${name} ${text}`, name), asciiText(text)] as const)
  const widest = longestOf(rows.map(([constant]) => constant))
  return `\nconst (\n${rows.map(([constant, text]) => `\t${constant.padEnd(widest)} ${name} = ${text}\n`).join('')})\n`
}

const longestOf = (texts: readonly string[]): number =>
  texts.reduce((longest, { length }) => Math.max(longest, length), 0)

const NULLABLE = `
// Nullable is a value that may be left out (nil), null (Null()) or there (Some(v)).
type Nullable[T any] map[bool]T

func Some[T any](value T) Nullable[T] { return Nullable[T]{true: value} }

func Null[T any]() Nullable[T] {
	var zero T
	return Nullable[T]{false: zero}
}

// Get returns the value, and whether there is one.
func (n Nullable[T]) Get() (T, bool) {
	value, ok := n[true]
	return value, ok
}

func (n Nullable[T]) IsNull() bool {
	_, ok := n[false]
	return ok
}

func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if value, ok := n[true]; ok {
		return json.Marshal(value)
	}
	return []byte("null"), nil
}

func (n *Nullable[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = Null[T]()
		return nil
	}
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*n = Some(value)
	return nil
}
`
