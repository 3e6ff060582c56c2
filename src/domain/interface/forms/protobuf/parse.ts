import type { Budget } from '../../budget.ts'
import { Cursor, NotReadable } from '../text/cursor.ts'
import { lex } from '../text/lexer.ts'
import { JSON_NAME, textOf } from './options.ts'
import type { ProtoCall, ProtoEnum, ProtoField, ProtoMessage, ProtoSchema } from './schema.ts'

const SCALARS = new Set(
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes'.split(
    ' ',
  ),
)
const HIGHEST = 536_870_911

/** Reads a proto text; throws NotReadable where it is none. */
export function parseProto(text: string, budget: Budget): ProtoSchema {
  const tokens = lex(text, 'slashes', budget)
  if (tokens === undefined) throw new NotReadable('it cannot be taken apart')
  return new Parser(new Cursor(tokens)).file()
}

interface RawField extends ProtoField {
  readonly scope: string
}

interface RawMessage {
  readonly fields: Map<number, RawField>
  readonly reserved: { ranges: [number, number][]; names: Set<string> }
  readonly options: string[]
}

class Parser {
  readonly #cursor: Cursor
  readonly #messages = new Map<string, RawMessage>()
  readonly #options: string[] = []
  readonly #enums = new Map<string, ProtoEnum>()
  readonly #calls = new Map<string, ProtoCall>()
  #syntax = 'proto2'
  #package = ''

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  file(): ProtoSchema {
    while (!this.#cursor.isAtEnd) this.#top()
    if (this.#messages.size + this.#enums.size + this.#calls.size === 0)
      throw new NotReadable('it declares nothing')
    const messages = new Map<string, ProtoMessage>()
    for (const [name, { fields, reserved, options }] of this.#messages) {
      const resolved = new Map<number, ProtoField>()
      for (const [number, { scope, type, ...field }] of fields)
        resolved.set(number, { ...field, type: this.#resolve(type, scope) })
      messages.set(name, { fields: resolved, reserved, options: textOf(options) })
    }
    const calls = [...this.#calls].map(([name, call]): [string, ProtoCall] => [
      name,
      { ...call, request: this.#resolve(call.request, ''), response: this.#resolve(call.response, '') },
    ])
    return {
      syntax: this.#syntax,
      packageName: this.#package,
      messages,
      enums: this.#enums,
      calls: new Map(calls),
      options: textOf(this.#options),
    }
  }

  #top(): void {
    const cursor = this.#cursor
    if (cursor.take(';')) return
    const word = cursor.name()
    if (word === 'syntax' || word === 'edition') {
      cursor.expect('=')
      this.#syntax = cursor.next().text
      cursor.expect(';')
    } else if (word === 'package') {
      this.#package = this.#path()
      cursor.expect(';')
    } else if (word === 'import') this.#statement()
    else if (word === 'option') this.#options.push(this.#statement())
    else if (word === 'message') this.#message('')
    else if (word === 'enum') this.#enum('')
    else if (word === 'service') this.#service()
    else throw new NotReadable(`«${word}» begins no declaration that is read`)
  }

  /** All up to its end, as text. */
  #statement(): string {
    const start = this.#cursor.place
    while (!this.#cursor.take(';')) {
      if (this.#cursor.is('{') || this.#cursor.is('[') || this.#cursor.is('(')) this.#cursor.skipBrackets()
      else this.#cursor.next()
    }
    return this.#cursor.textFrom(start)
  }

  /** Options in brackets behind a field, a value or a call. */
  #bracketed(): string {
    const start = this.#cursor.place
    this.#cursor.skipBrackets()
    return this.#cursor.textFrom(start)
  }

  #path(): string {
    const pieces = [this.#cursor.take('.') ? '' : this.#cursor.name()]
    if (pieces[0] === '') pieces.push(this.#cursor.name())
    while (this.#cursor.take('.')) pieces.push(this.#cursor.name())
    return pieces.join('.')
  }

  #message(scope: string): void {
    const cursor = this.#cursor
    const name = join(scope, cursor.name())
    const fields = new Map<number, RawField>()
    const message: RawMessage = { fields, reserved: { ranges: [], names: new Set() }, options: [] }
    if (this.#messages.has(name)) throw new NotReadable(`two messages are called ${name}`)
    this.#messages.set(name, message)
    cursor.expect('{')
    cursor.nested(() => {
      while (!cursor.take('}')) this.#inMessage(name, message)
    })
  }

  #inMessage(name: string, { fields, reserved, options }: RawMessage): void {
    const cursor = this.#cursor
    if (cursor.take(';')) return
    const isDeclaration = cursor.peek(1)?.kind === 'name' && cursor.is('{', 2)
    const isReserving = cursor.peek(1)?.kind === 'number' || cursor.peek(1)?.kind === 'text'
    if (isDeclaration && cursor.take('message')) this.#message(name)
    else if (isDeclaration && cursor.take('enum')) this.#enum(name)
    else if (isDeclaration && cursor.take('oneof')) this.#oneof(name, { fields, options })
    else if (isReserving && cursor.take('reserved')) this.#reserved(reserved)
    else if (cursor.is('option') || cursor.is('extensions')) options.push(this.#statement())
    else this.#field(name, fields, null)
  }

  #oneof(scope: string, { fields, options }: Pick<RawMessage, 'fields' | 'options'>): void {
    const oneof = this.#cursor.name()
    this.#cursor.expect('{')
    while (!this.#cursor.take('}')) {
      if (this.#cursor.take(';')) continue
      if (this.#cursor.is('option')) options.push(this.#statement())
      else this.#field(scope, fields, oneof)
    }
  }

  #field(scope: string, fields: Map<number, RawField>, oneof: string | null): void {
    const cursor = this.#cursor
    const labels = ['required', 'optional', 'repeated'] as const
    const label = labels.find((word) => cursor.is(word) && !cursor.is('=', 1)) ?? 'plain'
    if (label !== 'plain') cursor.next()
    const type = cursor.is('map') && cursor.is('<', 1) ? this.#map() : this.#path()
    if (type === 'group') throw new NotReadable('groups are not read')
    const name = cursor.name()
    cursor.expect('=')
    const number = this.#number()
    const written = cursor.is('[') ? this.#bracketed() : ''
    const jsonName = written === '' ? undefined : JSON_NAME.exec(written)?.[1]?.slice(1, -1)
    const options = textOf([written])
    cursor.expect(';')
    if (fields.has(number)) throw new NotReadable(`two fields of ${scope} have number ${number}`)
    fields.set(number, { name, jsonName: jsonName ?? camel(name), type, label, oneof, options, scope })
  }

  #map(): string {
    this.#cursor.next()
    this.#cursor.expect('<')
    const key = this.#path()
    this.#cursor.expect(',')
    const value = this.#path()
    this.#cursor.expect('>')
    return `map<${key}, ${value}>`
  }

  #number(): number {
    const { kind, text } = this.#cursor.next()
    const number = Number(text)
    if (kind !== 'number' || !Number.isInteger(number))
      throw new NotReadable(`«${text}» is no number of a field`)
    return number
  }

  #reserved({ ranges, names }: { ranges: [number, number][]; names: Set<string> }): void {
    const cursor = this.#cursor
    do {
      const token = cursor.peek()
      if (token?.kind === 'text') names.add(cursor.next().text)
      else {
        const from = this.#number()
        const isRange = cursor.take('to')
        ranges.push([from, !isRange ? from : cursor.take('max') ? HIGHEST : this.#number()])
      }
    } while (cursor.take(','))
    cursor.expect(';')
  }

  #enum(scope: string): void {
    const cursor = this.#cursor
    const name = join(scope, cursor.name())
    const values = new Map<number, string>()
    const reserved = { ranges: [] as [number, number][], names: new Set<string>() }
    const options: string[] = []
    cursor.expect('{')
    while (!cursor.take('}')) {
      if (cursor.take(';')) continue
      if (cursor.is('option')) options.push(this.#statement())
      else if (cursor.is('reserved') && !cursor.is('=', 1)) {
        cursor.next()
        this.#reserved(reserved)
      } else {
        const value = cursor.name()
        cursor.expect('=')
        const number = this.#number()
        if (cursor.is('[')) options.push(this.#bracketed())
        cursor.expect(';')
        // Of two names for one number the first counts.
        if (!values.has(number)) values.set(number, value)
      }
    }
    this.#enums.set(name, { values, reserved, options: textOf(options) })
  }

  #service(): void {
    const cursor = this.#cursor
    const service = cursor.name()
    cursor.expect('{')
    while (!cursor.take('}')) {
      if (cursor.take(';')) continue
      if (cursor.is('option')) {
        this.#options.push(this.#statement())
        continue
      }
      cursor.expect('rpc')
      const name = cursor.name()
      const request = this.#callType()
      cursor.expect('returns')
      const response = this.#callType()
      const written = cursor.is('{') ? this.#bracketed() : undefined
      if (written === undefined) cursor.expect(';')
      const options = textOf([written ?? ''])
      const streams = [request.isStream ? 'request' : '', response.isStream ? 'response' : '']
        .join(' ')
        .trim()
      this.#calls.set(`${service}.${name}`, {
        request: request.type,
        response: response.type,
        streams,
        options,
      })
    }
  }

  #callType(): { type: string; isStream: boolean } {
    this.#cursor.expect('(')
    const isStream = this.#cursor.is('stream') && !this.#cursor.is(')', 1) && this.#cursor.take('stream')
    const type = this.#path()
    this.#cursor.expect(')')
    return { type, isStream }
  }

  /** The innermost declaration of that name counts; names of other files stay as they are written. */
  #resolve(type: string, scope: string): string {
    if (SCALARS.has(type)) return type
    const [, key, value] = /^map<(.+), (.+)>$/.exec(type) ?? []
    if (key !== undefined && value !== undefined) return `map<${key}, ${this.#resolve(value, scope)}>`
    const plain = type.replace(/^\./, '')
    const local =
      this.#package !== '' && plain.startsWith(`${this.#package}.`)
        ? plain.slice(this.#package.length + 1)
        : plain
    for (let outer = scope; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
      const name = join(outer, local)
      if (this.#messages.has(name) || this.#enums.has(name)) return name
      if (outer === '') return plain
    }
  }
}

const join = (scope: string, name: string): string => (scope === '' ? name : `${scope}.${name}`)

const camel = (name: string): string =>
  name.includes('_') ? name.replaceAll(/_+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name
