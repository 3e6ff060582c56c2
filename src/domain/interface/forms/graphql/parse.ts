import type { Budget } from '../../budget.ts'
import { Cursor, NotReadable } from '../text/cursor.ts'
import { lex } from '../text/lexer.ts'
import type {
  GraphqlField,
  GraphqlKind,
  GraphqlSchema,
  GraphqlType,
  GraphqlValue,
  TypeRef,
} from './schema.ts'

const KINDS: Record<string, GraphqlKind> = {
  type: 'object',
  interface: 'interface',
  input: 'input',
  enum: 'enum',
  union: 'union',
  scalar: 'scalar',
}
const ROOTS: Record<string, string> = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }

/** Reads SDL; throws NotReadable where it is none. Root types go by what they are for, whatever they are called. */
export function parseGraphql(text: string, budget: Budget): GraphqlSchema {
  const tokens = lex(text, 'hash', budget)
  if (tokens === undefined) throw new NotReadable('it cannot be taken apart')
  return new Parser(new Cursor(tokens)).schema()
}

interface Draft {
  kind: GraphqlKind
  fields: Map<string, GraphqlField>
  values: Set<string>
  interfaces: Set<string>
}

class Parser {
  readonly #cursor: Cursor
  readonly #types = new Map<string, Draft>()
  readonly #directives = new Map<string, string>()
  readonly #roots = new Map<string, string>()

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  schema(): GraphqlSchema {
    while (!this.#cursor.isAtEnd) this.#definition()
    if (this.#types.size === 0) throw new NotReadable('it declares no type')
    const types = new Map<string, GraphqlType>()
    for (const [name, type] of this.#types) types.set(this.#roots.get(name) ?? name, type)
    return { types, directives: this.#directives }
  }

  #definition(): void {
    this.#description()
    this.#cursor.take('extend')
    const word = this.#cursor.name()
    if (word === 'schema') this.#schemaRoots()
    else if (word === 'directive') this.#directive()
    else if (Object.hasOwn(KINDS, word)) this.#type(KINDS[word] ?? 'scalar')
    else throw new NotReadable(`«${word}» begins no declaration`)
  }

  #description(): void {
    if (this.#cursor.peek()?.kind === 'text') this.#cursor.next()
  }

  #schemaRoots(): void {
    this.#appliedDirectives()
    if (!this.#cursor.take('{')) return
    while (!this.#cursor.take('}')) {
      this.#description()
      const role = this.#cursor.name()
      this.#cursor.expect(':')
      this.#roots.set(this.#cursor.name(), ROOTS[role] ?? role)
    }
  }

  #directive(): void {
    const start = this.#cursor.place
    this.#cursor.expect('@')
    const name = this.#cursor.name()
    if (this.#cursor.is('(')) this.#cursor.skipBrackets()
    this.#cursor.take('repeatable')
    this.#cursor.expect('on')
    this.#cursor.take('|')
    do this.#cursor.name()
    while (this.#cursor.take('|'))
    this.#directives.set(name, this.#cursor.textFrom(start))
  }

  #appliedDirectives(): void {
    while (this.#cursor.take('@')) {
      this.#cursor.name()
      if (this.#cursor.is('(')) this.#cursor.skipBrackets()
    }
  }

  #type(kind: GraphqlKind): void {
    const name = this.#cursor.name()
    const draft = this.#types.get(name) ?? {
      kind,
      fields: new Map(),
      values: new Set(),
      interfaces: new Set(),
    }
    this.#types.set(name, draft)
    if (this.#cursor.take('implements')) {
      this.#cursor.take('&')
      do draft.interfaces.add(this.#cursor.name())
      while (this.#cursor.take('&') || this.#isListed())
    }
    this.#appliedDirectives()
    if (kind === 'union' && this.#cursor.take('=')) {
      this.#cursor.take('|')
      do draft.values.add(this.#cursor.name())
      while (this.#cursor.take('|'))
    } else if (this.#cursor.take('{')) while (!this.#cursor.take('}')) this.#member(kind, draft)
  }

  /** Old SDL lists interfaces without a sign between them. */
  #isListed(): boolean {
    return (
      this.#cursor.peek()?.kind === 'name' &&
      (this.#cursor.is('{', 1) || this.#cursor.peek(1)?.kind === 'name')
    )
  }

  #member(kind: GraphqlKind, draft: Draft): void {
    this.#description()
    const name = this.#cursor.name()
    if (kind === 'enum') {
      draft.values.add(name)
      this.#appliedDirectives()
      return
    }
    const args = new Map<string, GraphqlValue>()
    if (this.#cursor.take('('))
      while (!this.#cursor.take(')')) {
        this.#description()
        args.set(this.#cursor.name(), this.#value())
      }
    draft.fields.set(name, { ...this.#value(), args })
  }

  #value(): GraphqlValue {
    this.#cursor.expect(':')
    const type = this.#typeRef()
    const start = this.#cursor.place
    const fallback = this.#cursor.take('=') ? this.#literal(start + 1) : null
    this.#appliedDirectives()
    return { type, fallback }
  }

  #literal(start: number): string {
    if (this.#cursor.is('[') || this.#cursor.is('{')) this.#cursor.skipBrackets()
    else this.#cursor.next()
    return this.#cursor.textFrom(start)
  }

  #typeRef(): TypeRef {
    return this.#cursor.nested((): TypeRef => {
      if (!this.#cursor.take('[')) return { name: this.#cursor.name(), isRequired: this.#cursor.take('!') }
      const list = this.#typeRef()
      this.#cursor.expect(']')
      return { list, isRequired: this.#cursor.take('!') }
    })
  }
}
