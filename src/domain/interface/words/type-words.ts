import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { type Token, tokensOf } from './tokens.ts'

/**
 * The closed grammar of type words, which people and agents write instead of schemas:
 *
 *   type    = part { ("|" | "or") part }
 *   part    = ["optional" | "nullable"] one { "[]" | "?" | "(" mark ")" }
 *   one     = word | literal | "{" fields "}" | "[" type "]" | "(" type ")" | ("array" | "list") "of" part
 *           | ("Array" | "List") "<" type ">" | ("Record" | "map" | "dict") "<" "string" "," type ">"
 *           | "enum" ("(" values ")" | "[" values "]")
 *   fields  = { name ["?"] ":" type ("," | ";") }
 *   mark    = "optional" | "required" | "nullable" | a format
 *
 * What does not fit is not read at all: a word that nobody knows is no type.
 */
export interface TypeWord {
  readonly schema: Json
  readonly isOptional: boolean
}

export type NamedType = (name: string) => Json | undefined

const FORMATS: Record<string, string> = {
  uuid: 'uuid',
  email: 'email',
  url: 'uri',
  uri: 'uri',
  date: 'date',
  datetime: 'date-time',
  'date-time': 'date-time',
  binary: 'binary',
}

const TYPES: Record<string, Json> = {
  string: { type: 'string' },
  number: { type: 'number' },
  float: { type: 'number' },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  boolean: { type: 'boolean' },
  bool: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  any: true,
  unknown: true,
  null: { type: 'null' },
  ...Object.fromEntries(Object.entries(FORMATS).map(([word, format]) => [word, { type: 'string', format }])),
}

const PLAIN = new Map<string, TypeWord>(
  Object.entries(TYPES).map(([word, schema]) => [word, { schema, isOptional: false }]),
)

/** A type that is one word, as most are. */
export const readPlainWord = (written: string): TypeWord | undefined => PLAIN.get(written)

const known = new Map<string, TypeWord | null>()
/** The same few texts come again in every contract; what is kept of others is small. */
const MOST_KNOWN = 2000
const LONGEST_KNOWN = 64

/** Undefined where the text is not all of it made of type words. */
export function readTypeWord(written: string, named?: NamedType): TypeWord | undefined {
  if (written.length > LONGEST) return undefined
  if (named !== undefined || written.length > LONGEST_KNOWN) return readText(written, named)
  const found = known.get(written)
  if (found !== undefined) return found ?? undefined
  const made = readText(written, undefined)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(written, made ?? null)
  return made
}

function readText(written: string, named: NamedType | undefined): TypeWord | undefined {
  const text = /\s\s|[^\S ]/.test(written) ? written.replaceAll(/\s+/g, ' ').trim() : written.trim()
  const whole = parsed(text, named)
  if (whole !== undefined) return whole
  const [, head, , note] = NOTE.exec(text) ?? []
  const typed = head === undefined || note === undefined ? undefined : parsed(head, named)
  return typed === undefined || note === undefined
    ? undefined
    : { ...typed, schema: withNote(typed.schema, note) }
}

/** Longer texts are prose. Rows of blanks are one, so that no pattern here takes long. */
const LONGEST = 500

/** What stands after a dash, a comma or in brackets is prose, and may be a condition: it is kept and compared as text. */
const NOTE = /^([^—–]*?)(\s+[-—–#]\s+|\s+\/\/\s*|,\s*|\s*(?=\())(.+)$/s

const withNote = (schema: Json, note: string): Json => ({
  ...asObject(schema),
  $note: note.trim().slice(0, 500),
})

const asObject = (schema: Json): JsonObject => (isJsonObject(schema) ? schema : {})

const MARKED = /\s(?:optional|required)\s*$/i

function parsed(text: string, named: NamedType | undefined): TypeWord | undefined {
  const [, head = text, mark] = MARKED.test(text)
    ? (/^(.*?)[,;]?\s+(optional|required)\s*$/is.exec(text) ?? [])
    : []
  const tokens = tokensOf(head)
  if (tokens === undefined || tokens.length === 0) return undefined
  const found = readTokens(tokens, named)
  if (found === undefined) return undefined
  return mark?.toLowerCase() === 'optional' ? { ...found, isOptional: true } : found
}

/** Levels of types inside types. */
const DEEPEST = 30

/** Undefined unless all tokens are one type. */
function readTokens(tokens: readonly Token[], named: NamedType | undefined): TypeWord | undefined {
  let at = 0
  let depth = 0
  const whole = readType()
  return at === tokens.length ? whole : undefined

  function peek(ahead = 0): string | undefined {
    const token = tokens[at + ahead]
    return token === undefined || token.kind === 'text' ? undefined : token.text
  }

  function take(text: string): boolean {
    const isNext = peek()?.toLowerCase() === text
    if (isNext) at++
    return isNext
  }

  function readType(): TypeWord | undefined {
    if (++depth > DEEPEST) return undefined
    take('|')
    const parts: TypeWord[] = []
    do {
      const part = readPart()
      if (part === undefined) return undefined
      parts.push(part)
    } while (take('|') || take('or'))
    depth--
    return unionOf(parts)
  }

  function readInner(): Json | undefined {
    return alwaysThere(readType())
  }

  function readPart(): TypeWord | undefined {
    if (take('optional')) return marked(readPart(), 'optional')
    if (take('nullable')) return marked(readPart(), 'nullable')
    if (take('undefined')) return { schema: false, isOptional: true }
    const one = readOne()
    if (one === undefined) return undefined
    let found: TypeWord | undefined = { schema: one, isOptional: false }
    while (found !== undefined) {
      if (peek() === '[' && peek(1) === ']') {
        at += 2
        found = found.isOptional
          ? undefined
          : { schema: { type: 'array', items: found.schema }, isOptional: false }
      } else if (take('?')) found = { ...found, isOptional: true }
      else if (peek() === '(' && peek(2) === ')') {
        found = marked(found, peek(1) ?? '')
        at += 3
      } else break
    }
    return found
  }

  function readOne(): Json | undefined {
    const token = tokens[at++]
    if (token === undefined) return undefined
    if (token.kind === 'text') return { const: token.text }
    if (token.kind === 'number') return { const: Number(token.text) }
    if (token.kind === 'sign') return readBracket(token.text)
    return readWord(token.text)
  }

  function readBracket(sign: string): Json | undefined {
    if (sign === '{') return readFields()
    if (sign === '(') return closedBy(readInner(), ')')
    if (sign !== '[') return undefined
    const items = closedBy(readInner(), ']')
    return items === undefined ? undefined : { type: 'array', items }
  }

  function closedBy(schema: Json | undefined, sign: string): Json | undefined {
    return schema !== undefined && take(sign) ? schema : undefined
  }

  function readWord(text: string): Json | undefined {
    const own = named?.(text)
    if (own !== undefined) return own
    const word = text.toLowerCase()
    if (word === 'true' || word === 'false') return { const: word === 'true' }
    if ((word === 'array' || word === 'list') && (peek() === '<' || peek()?.toLowerCase() === 'of')) {
      const items = take('of') ? alwaysThere(readPart()) : readGeneric()
      return items === undefined ? undefined : { type: 'array', items }
    }
    if ((word === 'record' || word === 'map' || word === 'dict') && peek() === '<') return readRecord()
    if (word === 'enum' && (peek() === '(' || peek() === '[')) return readValues()
    return Object.hasOwn(TYPES, word) ? TYPES[word] : undefined
  }

  function readGeneric(): Json | undefined {
    return take('<') ? closedBy(readInner(), '>') : undefined
  }

  function readRecord(): Json | undefined {
    if (!(take('<') && take('string') && take(','))) return undefined
    const values = closedBy(readInner(), '>')
    return values === undefined ? undefined : { type: 'object', additionalProperties: values }
  }

  function readValues(): Json | undefined {
    const end = peek() === '(' ? ')' : ']'
    at++
    const values: Json[] = []
    for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
      at++
      if (token.kind === 'sign') {
        if (token.text === end) return values.length === 0 ? undefined : { enum: values }
        if (token.text !== ',' && token.text !== '|') return undefined
      } else values.push(token.kind === 'number' ? Number(token.text) : token.text)
    }
    return undefined
  }

  function readFields(): Json | undefined {
    const properties: [string, Json][] = []
    const required: string[] = []
    while (!take('}')) {
      const token = tokens[at++]
      if (token === undefined || token.kind === 'sign') return undefined
      const isMarked = take('?')
      const found = take(':') ? readType() : undefined
      if (found === undefined) return undefined
      properties.push([token.text, found.schema])
      if (!isMarked && !found.isOptional) required.push(token.text)
      if (!take(',') && !take(';') && peek() !== '}') return undefined
    }
    return { type: 'object', properties: Object.fromEntries(properties), required }
  }
}

/** Inside of lists and unions nothing can be left out. */
const alwaysThere = (found: TypeWord | undefined): Json | undefined =>
  found === undefined || found.isOptional ? undefined : found.schema

function marked(found: TypeWord | undefined, mark: string): TypeWord | undefined {
  if (found === undefined) return undefined
  const word = mark.toLowerCase()
  if (word === 'optional') return { ...found, isOptional: true }
  if (word === 'required') return found
  if (word === 'nullable') return { ...found, schema: { anyOf: [found.schema, { type: 'null' }] } }
  const isText = isJsonObject(found.schema) && found.schema['type'] === 'string'
  const format = Object.hasOwn(FORMATS, word) ? FORMATS[word] : undefined
  return isText && format !== undefined ? { ...found, schema: { type: 'string', format } } : undefined
}

function unionOf(parts: readonly TypeWord[]): TypeWord {
  if (parts.length === 1 && parts[0] !== undefined && parts[0].schema !== false) return parts[0]
  const isOptional = parts.some((part) => part.isOptional)
  const schemas = parts.map(({ schema }) => schema).filter((schema) => schema !== false)
  const [only] = schemas
  if (schemas.length === 1 && only !== undefined) return { schema: only, isOptional }
  const literals = schemas.map((schema) => (isJsonObject(schema) ? schema['const'] : undefined))
  const values = literals.filter((value) => value !== undefined)
  if (values.length === schemas.length && values.length > 0) return { schema: { enum: values }, isOptional }
  return { schema: { anyOf: schemas }, isOptional }
}
