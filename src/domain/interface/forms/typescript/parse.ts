import type { Budget } from '../../budget.ts'
import { Cursor, NotReadable } from '../text/cursor.ts'
import { lex } from '../text/lexer.ts'

/** What is read of TypeScript: types of data. Functions, generics and computed types are kept as text. */
export type TypeNode =
  | { readonly is: 'name'; readonly name: string; readonly args: readonly TypeNode[] }
  | { readonly is: 'value'; readonly value: string | number | boolean }
  | { readonly is: 'list'; readonly items: TypeNode }
  | { readonly is: 'tuple'; readonly items: readonly TypeNode[] }
  | { readonly is: 'union' | 'all'; readonly parts: readonly TypeNode[] }
  | { readonly is: 'object'; readonly members: readonly Member[]; readonly others: TypeNode | null }
  | { readonly is: 'text'; readonly text: string }

export interface Member {
  readonly name: string
  readonly isOptional: boolean
  readonly type: TypeNode
}

export interface Declaration {
  readonly name: string
  readonly isExported: boolean
  readonly type: TypeNode
}

/** Reads declarations of types; throws NotReadable where the text is something else. */
export function parseTypeScript(text: string, budget: Budget): readonly Declaration[] {
  const tokens = lex(text, 'slashes', budget)
  if (tokens === undefined) throw new NotReadable('it cannot be taken apart')
  const parser = new Parser(new Cursor(tokens))
  return parser.file()
}

class Parser {
  readonly #cursor: Cursor

  constructor(cursor: Cursor) {
    this.#cursor = cursor
  }

  file(): readonly Declaration[] {
    const found: Declaration[] = []
    while (!this.#cursor.isAtEnd) if (!this.#cursor.take(';')) found.push(this.#declaration())
    if (found.length === 0) throw new NotReadable('it declares no type')
    return found
  }

  #declaration(): Declaration {
    const cursor = this.#cursor
    const isExported = cursor.take('export')
    cursor.take('declare')
    cursor.take('const')
    const word = cursor.name()
    if (word !== 'interface' && word !== 'type' && word !== 'enum')
      throw new NotReadable(`«${word}» declares no type that is read`)
    const name = cursor.name()
    if (cursor.is('<')) throw new NotReadable(`${name} is generic`)
    if (word === 'enum') return { name, isExported, type: this.#enum() }
    if (word === 'interface') return { name, isExported, type: this.#interface() }
    cursor.expect('=')
    return { name, isExported, type: this.#type() }
  }

  #interface(): TypeNode {
    const parents: TypeNode[] = []
    if (this.#cursor.take('extends'))
      do parents.push(this.#postfix())
      while (this.#cursor.take(','))
    this.#cursor.expect('{')
    const own = this.#object()
    return parents.length === 0 ? own : { is: 'all', parts: [...parents, own] }
  }

  #enum(): TypeNode {
    const cursor = this.#cursor
    cursor.expect('{')
    const parts: TypeNode[] = []
    for (let next = 0; !cursor.take('}'); next++) {
      const name = cursor.next().text
      if (cursor.take('=')) {
        const { kind, text } = cursor.next()
        if (kind === 'number') next = Number(text)
        else if (kind !== 'text') throw new NotReadable(`the value of ${name} is computed`)
        parts.push({ is: 'value', value: kind === 'number' ? next : text })
      } else parts.push({ is: 'value', value: next })
      if (!cursor.take(',') && !cursor.is('}')) throw new NotReadable(`the value of ${name} is computed`)
    }
    return { is: 'union', parts }
  }

  #type(): TypeNode {
    return this.#cursor.nested(() =>
      this.#parts('|', 'union', () => this.#parts('&', 'all', () => this.#postfix())),
    )
  }

  #parts(sign: string, is: 'union' | 'all', read: () => TypeNode): TypeNode {
    this.#cursor.take(sign)
    const parts = [read()]
    while (this.#cursor.take(sign)) parts.push(read())
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { is, parts }
  }

  #postfix(): TypeNode {
    this.#cursor.take('readonly')
    let found = this.#primary()
    while (this.#cursor.is('[')) {
      if (!this.#cursor.is(']', 1)) throw new NotReadable('types of properties are not read')
      this.#cursor.next()
      this.#cursor.next()
      found = { is: 'list', items: found }
    }
    return found
  }

  #primary(): TypeNode {
    const cursor = this.#cursor
    if (cursor.is('(')) return this.#parenthesis()
    const { kind, text } = cursor.next()
    if (kind === 'text') return { is: 'value', value: text }
    if (kind === 'number') return { is: 'value', value: Number(text) }
    if (text === '{') return this.#object()
    if (text === '[') return this.#tuple()
    if (kind !== 'name') throw new NotReadable(`«${text}» begins no type`)
    if (text === 'true' || text === 'false') return { is: 'value', value: text === 'true' }
    if (text === 'keyof' || text === 'typeof' || text === 'infer' || text === 'unique')
      throw new NotReadable(`${text} is not read`)
    const args: TypeNode[] = []
    if (cursor.take('<')) {
      do args.push(this.#type())
      while (cursor.take(','))
      cursor.expect('>')
    }
    if (cursor.is('.')) throw new NotReadable('names with dots are not read')
    if (cursor.is('extends')) throw new NotReadable('types with conditions are not read')
    return { is: 'name', name: text, args }
  }

  /** Brackets around a type, or the parameters of a function, which is kept as text. */
  #parenthesis(): TypeNode {
    const cursor = this.#cursor
    const start = cursor.place
    cursor.skipBrackets()
    if (cursor.take('=>')) {
      this.#type()
      return { is: 'text', text: cursor.textFrom(start) }
    }
    cursor.goBack(start)
    cursor.expect('(')
    const found = this.#type()
    cursor.expect(')')
    return found
  }

  #tuple(): TypeNode {
    const items: TypeNode[] = []
    while (!this.#cursor.take(']')) {
      if (this.#cursor.is('...') || this.#cursor.is(':', 1) || this.#cursor.is('?', 1))
        throw new NotReadable('such tuples are not read')
      items.push(this.#type())
      if (!this.#cursor.take(',') && !this.#cursor.is(']'))
        throw new NotReadable('a list of types has no end')
    }
    return { is: 'tuple', items }
  }

  #object(): TypeNode {
    const cursor = this.#cursor
    const members: Member[] = []
    let others: TypeNode | null = null
    while (!cursor.take('}')) {
      if (cursor.take(';') || cursor.take(',')) continue
      if (!cursor.is(':', 1) && !cursor.is('?', 1)) cursor.take('readonly')
      if (cursor.is('[')) others = this.#index()
      else members.push(this.#member())
    }
    return { is: 'object', members, others }
  }

  #index(): TypeNode {
    const cursor = this.#cursor
    cursor.expect('[')
    cursor.name()
    if (!cursor.take(':')) throw new NotReadable('types made from others are not read')
    if (!cursor.take('string')) throw new NotReadable('keys other than text are not read')
    cursor.expect(']')
    cursor.expect(':')
    return this.#type()
  }

  #member(): Member {
    const cursor = this.#cursor
    const { kind, text: name } = cursor.next()
    if (kind === 'sign') throw new NotReadable(`«${name}» begins no property`)
    const isOptional = cursor.take('?')
    const start = cursor.place
    if (cursor.is('(')) {
      cursor.skipBrackets()
      if (cursor.take(':')) this.#type()
      return { name, isOptional, type: { is: 'text', text: cursor.textFrom(start) } }
    }
    cursor.expect(':')
    return { name, isOptional, type: this.#type() }
  }
}
