import { getOrAdd } from '../../../../protocol/collections/get-or-add.ts'
import type { Budget } from '../../budget.ts'
import { wordSet } from '../../word-set.ts'
import { Cursor, NotReadable } from '../text/cursor.ts'
import type {
  GraphqlField,
  GraphqlKind,
  GraphqlSchema,
  GraphqlType,
  GraphqlValue,
  TypeRef,
} from './schema.ts'

const KINDS = wordSet('type interface input enum union scalar')
const ROOTS: Record<string, string> = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }

/** Reads SDL; throws NotReadable where it is none. Root types go by what they are for, whatever they are called. */
export const parseGraphql = (text: string, budget: Budget): GraphqlSchema =>
  new Parser(text, 'hash', budget).schema()

const draftOf = (kind: GraphqlKind) => ({
  kind,
  fields: new Map<string, GraphqlField>(),
  values: new Set<string>(),
  interfaces: new Set<string>(),
})
type Draft = ReturnType<typeof draftOf>

class Parser extends Cursor {
  readonly #types = new Map<string, Draft>()
  readonly #directives = new Map<string, string>()
  readonly #roots = new Map<string, string>()

  schema(): GraphqlSchema {
    while (!this.isAtEnd) this.#definition()
    if (this.#types.size === 0) throw new NotReadable('it declares no type')
    const types = new Map<string, GraphqlType>()
    for (const [name, type] of this.#types) types.set(this.#roots.get(name) ?? name, type)
    return { types, directives: this.#directives }
  }

  #definition(): void {
    this.#description()
    this.take('extend')
    const word = this.name()
    if (word === 'schema') this.#schemaRoots()
    else if (word === 'directive') this.#directive()
    else if (KINDS.has(word)) this.#type(word === 'type' ? 'object' : (word as GraphqlKind))
    else throw new NotReadable(`«${word}» begins no declaration`)
  }

  #description(): void {
    if (this.peek()?.kind === 'text') this.next()
  }

  #schemaRoots(): void {
    this.#appliedDirectives()
    if (!this.take('{')) return
    while (!this.take('}')) {
      this.#description()
      const role = this.name()
      this.expect(':')
      this.#roots.set(this.name(), ROOTS[role] ?? role)
    }
  }

  #directive(): void {
    const start = this.place
    this.expect('@')
    const name = this.name()
    if (this.is('(')) this.skipBrackets()
    this.take('repeatable')
    this.expect('on')
    this.take('|')
    do this.name()
    while (this.take('|'))
    this.#directives.set(name, this.textFrom(start))
  }

  #appliedDirectives(): void {
    while (this.take('@')) {
      this.name()
      if (this.is('(')) this.skipBrackets()
    }
  }

  #type(kind: GraphqlKind): void {
    const name = this.name()
    const draft = getOrAdd(this.#types, name, () => draftOf(kind))
    if (this.take('implements')) {
      this.take('&')
      do draft.interfaces.add(this.name())
      while (this.take('&') || this.#isListed())
    }
    this.#appliedDirectives()
    if (kind === 'union' && this.take('=')) {
      this.take('|')
      do draft.values.add(this.name())
      while (this.take('|'))
    } else if (this.take('{')) while (!this.take('}')) this.#member(kind, draft)
  }

  /** Old SDL lists interfaces without a sign between them. */
  #isListed(): boolean {
    return this.peek()?.kind === 'name' && (this.is('{', 1) || this.peek(1)?.kind === 'name')
  }

  #member(kind: GraphqlKind, draft: Draft): void {
    this.#description()
    const name = this.name()
    if (kind === 'enum') {
      draft.values.add(name)
      this.#appliedDirectives()
      return
    }
    const args = new Map<string, GraphqlValue>()
    if (this.take('('))
      while (!this.take(')')) {
        this.#description()
        args.set(this.name(), this.#value())
      }
    draft.fields.set(name, { ...this.#value(), args })
  }

  #value(): GraphqlValue {
    this.expect(':')
    const type = this.#typeRef()
    const start = this.place
    const fallback = this.take('=') ? this.#literal(start + 1) : null
    this.#appliedDirectives()
    return { type, fallback }
  }

  #literal(start: number): string {
    if (this.is('[') || this.is('{')) this.skipBrackets()
    else this.next()
    return this.textFrom(start)
  }

  #typeRef(): TypeRef {
    return this.nested((): TypeRef => {
      if (!this.take('[')) return { name: this.name(), isRequired: this.take('!') }
      const list = this.#typeRef()
      this.expect(']')
      return { list, isRequired: this.take('!') }
    })
  }
}
