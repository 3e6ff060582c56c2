import type { Budget } from '../../budget.ts'
import { wordSet } from '../../word-set.ts'
import { Cursor, NotReadable } from '../text/cursor.ts'
import { JSON_NAME, textOf } from './options.ts'
import type { ProtoCall, ProtoEnum, ProtoField, ProtoMessage, ProtoSchema } from './schema.ts'

const SCALARS = wordSet(
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes',
)
const HIGHEST = 536_870_911

/** Reads a proto text; throws NotReadable where it is none. */
export const parseProto = (text: string, budget: Budget): ProtoSchema =>
  new Parser(text, 'slashes', budget).file()

interface RawField extends ProtoField {
  readonly scope: string
}

interface RawMessage {
  readonly fields: Map<number, RawField>
  readonly reserved: [number, number][]
  readonly options: string[]
}

class Parser extends Cursor {
  readonly #messages = new Map<string, RawMessage>()
  readonly #options: string[] = []
  readonly #enums = new Map<string, ProtoEnum>()
  readonly #calls = new Map<string, ProtoCall>()
  #syntax = 'proto2'
  #package = ''

  file(): ProtoSchema {
    while (!this.isAtEnd) this.#top()
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
    if (this.take(';')) return
    const word = this.name()
    if (word === 'syntax' || word === 'edition') {
      this.expect('=')
      this.#syntax = this.next().text
      this.expect(';')
    } else if (word === 'package') {
      this.#package = this.#path()
      this.expect(';')
    } else if (word === 'import') this.#statement()
    else if (word === 'option') this.#options.push(this.#statement())
    else if (word === 'message') this.#message('')
    else if (word === 'enum') this.#enum('')
    else if (word === 'service') this.#service()
    else throw new NotReadable(`«${word}» begins no declaration that is read`)
  }

  /** All up to its end, as text. */
  #statement(): string {
    const start = this.place
    while (!this.take(';')) {
      if (this.is('{') || this.is('[') || this.is('(')) this.skipBrackets()
      else this.next()
    }
    return this.textFrom(start)
  }

  /** Options in brackets behind a field, a value or a call. */
  #bracketed(): string {
    const start = this.place
    this.skipBrackets()
    return this.textFrom(start)
  }

  #path(): string {
    const pieces = [this.take('.') ? '' : this.name()]
    if (pieces[0] === '') pieces.push(this.name())
    while (this.take('.')) pieces.push(this.name())
    return pieces.join('.')
  }

  #message(scope: string): void {
    const name = join(scope, this.name())
    const fields = new Map<number, RawField>()
    const message: RawMessage = { fields, reserved: [], options: [] }
    if (this.#messages.has(name)) throw new NotReadable(`two messages are called ${name}`)
    this.#messages.set(name, message)
    this.expect('{')
    this.nested(() => {
      while (!this.take('}')) this.#inMessage(name, message)
    })
  }

  #inMessage(name: string, { fields, reserved, options }: RawMessage): void {
    if (this.take(';')) return
    const isDeclaration = this.peek(1)?.kind === 'name' && this.is('{', 2)
    const isReserving = this.peek(1)?.kind === 'number' || this.peek(1)?.kind === 'text'
    if (isDeclaration && this.take('message')) this.#message(name)
    else if (isDeclaration && this.take('enum')) this.#enum(name)
    else if (isDeclaration && this.take('oneof')) this.#oneof(name, { fields, options })
    else if (isReserving && this.take('reserved')) this.#reserved(reserved)
    else if (this.is('option') || this.is('extensions')) options.push(this.#statement())
    else this.#field(name, fields, null)
  }

  #oneof(scope: string, { fields, options }: Pick<RawMessage, 'fields' | 'options'>): void {
    const oneof = this.name()
    this.expect('{')
    while (!this.take('}')) {
      if (this.take(';')) continue
      if (this.is('option')) options.push(this.#statement())
      else this.#field(scope, fields, oneof)
    }
  }

  #field(scope: string, fields: Map<number, RawField>, oneof: string | null): void {
    const labels = ['required', 'optional', 'repeated'] as const
    const label = labels.find((word) => this.is(word) && !this.is('=', 1)) ?? 'plain'
    if (label !== 'plain') this.next()
    const type = this.is('map') && this.is('<', 1) ? this.#map() : this.#path()
    if (type === 'group') throw new NotReadable('groups are not read')
    const name = this.name()
    this.expect('=')
    const number = this.#number()
    const written = this.is('[') ? this.#bracketed() : ''
    const jsonName = written === '' ? undefined : JSON_NAME.exec(written)?.[1]?.slice(1, -1)
    const options = textOf([written])
    this.expect(';')
    if (fields.has(number)) throw new NotReadable(`two fields of ${scope} have number ${number}`)
    fields.set(number, { name, jsonName: jsonName ?? camel(name), type, label, oneof, options, scope })
  }

  #map(): string {
    this.next()
    this.expect('<')
    const key = this.#path()
    this.expect(',')
    const value = this.#path()
    this.expect('>')
    return `map<${key}, ${value}>`
  }

  #number(): number {
    const { kind, text } = this.next()
    const number = Number(text)
    if (kind !== 'number' || !Number.isInteger(number))
      throw new NotReadable(`«${text}» is no number of a field`)
    return number
  }

  /** What is reserved by name is not looked at: names are not sent. */
  #reserved(reserved: [number, number][]): void {
    do {
      if (this.peek()?.kind === 'text') this.next()
      else {
        const from = this.#number()
        const isRange = this.take('to')
        reserved.push([from, !isRange ? from : this.take('max') ? HIGHEST : this.#number()])
      }
    } while (this.take(','))
    this.expect(';')
  }

  #enum(scope: string): void {
    const name = join(scope, this.name())
    const values = new Map<number, string>()
    const reserved: [number, number][] = []
    const options: string[] = []
    this.expect('{')
    while (!this.take('}')) {
      if (this.take(';')) continue
      if (this.is('option')) options.push(this.#statement())
      else if (this.is('reserved') && !this.is('=', 1)) {
        this.next()
        this.#reserved(reserved)
      } else {
        const value = this.name()
        this.expect('=')
        const number = this.#number()
        if (this.is('[')) options.push(this.#bracketed())
        this.expect(';')
        // Of two names for one number the first counts.
        if (!values.has(number)) values.set(number, value)
      }
    }
    this.#enums.set(name, { values, reserved, options: textOf(options) })
  }

  #service(): void {
    const service = this.name()
    this.expect('{')
    while (!this.take('}')) {
      if (this.take(';')) continue
      if (this.is('option')) {
        this.#options.push(this.#statement())
        continue
      }
      this.expect('rpc')
      const name = this.name()
      const request = this.#callType()
      this.expect('returns')
      const response = this.#callType()
      const written = this.is('{') ? this.#bracketed() : undefined
      if (written === undefined) this.expect(';')
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
    this.expect('(')
    const isStream = this.is('stream') && !this.is(')', 1) && this.take('stream')
    const type = this.#path()
    this.expect(')')
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
