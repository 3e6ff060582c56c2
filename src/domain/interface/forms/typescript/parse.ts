import type { Budget } from '../../budget.ts'
import { Cursor, NotReadable } from '../text/cursor.ts'

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
export const parseTypeScript = (text: string, budget: Budget): readonly Declaration[] =>
  new Parser(text, 'slashes', budget).file()

class Parser extends Cursor {
  file(): readonly Declaration[] {
    const found: Declaration[] = []
    while (!this.isAtEnd) if (!this.take(';')) found.push(this.#declaration())
    if (found.length === 0) throw new NotReadable('it declares no type')
    return found
  }

  #declaration(): Declaration {
    const isExported = this.take('export')
    this.take('declare')
    this.take('const')
    const word = this.name()
    if (word !== 'interface' && word !== 'type' && word !== 'enum')
      throw new NotReadable(`«${word}» declares no type that is read`)
    const name = this.name()
    if (this.is('<')) throw new NotReadable(`${name} is generic`)
    if (word === 'enum') return { name, isExported, type: this.#enum() }
    if (word === 'interface') return { name, isExported, type: this.#interface() }
    this.expect('=')
    return { name, isExported, type: this.#type() }
  }

  #interface(): TypeNode {
    const parents: TypeNode[] = []
    if (this.take('extends'))
      do parents.push(this.#postfix())
      while (this.take(','))
    this.expect('{')
    const own = this.#object()
    return parents.length === 0 ? own : { is: 'all', parts: [...parents, own] }
  }

  #enum(): TypeNode {
    this.expect('{')
    const parts: TypeNode[] = []
    for (let next = 0; !this.take('}'); next++) {
      const name = this.next().text
      if (this.take('=')) {
        const { kind, text } = this.next()
        if (kind === 'number') next = Number(text)
        else if (kind !== 'text') throw new NotReadable(`the value of ${name} is computed`)
        parts.push({ is: 'value', value: kind === 'number' ? next : text })
      } else parts.push({ is: 'value', value: next })
      if (!this.take(',') && !this.is('}')) throw new NotReadable(`the value of ${name} is computed`)
    }
    return { is: 'union', parts }
  }

  #type(): TypeNode {
    return this.nested(() => this.#parts('|', 'union', () => this.#parts('&', 'all', () => this.#postfix())))
  }

  #parts(sign: string, is: 'union' | 'all', read: () => TypeNode): TypeNode {
    this.take(sign)
    const parts = [read()]
    while (this.take(sign)) parts.push(read())
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { is, parts }
  }

  #postfix(): TypeNode {
    this.take('readonly')
    let found = this.#primary()
    while (this.is('[')) {
      if (!this.is(']', 1)) throw new NotReadable('types of properties are not read')
      this.next()
      this.next()
      found = { is: 'list', items: found }
    }
    return found
  }

  #primary(): TypeNode {
    if (this.is('(')) return this.#parenthesis()
    const { kind, text } = this.next()
    if (kind === 'text') return { is: 'value', value: text }
    if (kind === 'number') return { is: 'value', value: Number(text) }
    if (text === '{') return this.#object()
    if (text === '[') return this.#tuple()
    if (kind !== 'name') throw new NotReadable(`«${text}» begins no type`)
    if (text === 'true' || text === 'false') return { is: 'value', value: text === 'true' }
    if (text === 'keyof' || text === 'typeof' || text === 'infer' || text === 'unique')
      throw new NotReadable(`${text} is not read`)
    const args: TypeNode[] = []
    if (this.take('<')) {
      do args.push(this.#type())
      while (this.take(','))
      this.expect('>')
    }
    if (this.is('.')) throw new NotReadable('names with dots are not read')
    if (this.is('extends')) throw new NotReadable('types with conditions are not read')
    return { is: 'name', name: text, args }
  }

  /** Brackets around a type, or the parameters of a function, which is kept as text. */
  #parenthesis(): TypeNode {
    const start = this.place
    this.skipBrackets()
    if (this.take('=>')) {
      this.#type()
      return { is: 'text', text: this.textFrom(start) }
    }
    this.goBack(start)
    this.expect('(')
    const found = this.#type()
    this.expect(')')
    return found
  }

  #tuple(): TypeNode {
    const items: TypeNode[] = []
    while (!this.take(']')) {
      if (this.is('...') || this.is(':', 1) || this.is('?', 1))
        throw new NotReadable('such tuples are not read')
      items.push(this.#type())
      if (!this.take(',') && !this.is(']')) throw new NotReadable('a list of types has no end')
    }
    return { is: 'tuple', items }
  }

  #object(): TypeNode {
    const members: Member[] = []
    let others: TypeNode | null = null
    while (!this.take('}')) {
      if (this.take(';') || this.take(',')) continue
      if (!this.is(':', 1) && !this.is('?', 1)) this.take('readonly')
      if (this.is('[')) others = this.#index()
      else members.push(this.#member())
    }
    return { is: 'object', members, others }
  }

  #index(): TypeNode {
    this.expect('[')
    this.name()
    if (!this.take(':')) throw new NotReadable('types made from others are not read')
    if (!this.take('string')) throw new NotReadable('keys other than text are not read')
    this.expect(']')
    this.expect(':')
    return this.#type()
  }

  #member(): Member {
    const { kind, text: name } = this.next()
    if (kind === 'sign') throw new NotReadable(`«${name}» begins no property`)
    const isOptional = this.take('?')
    const start = this.place
    if (this.is('(')) {
      this.skipBrackets()
      if (this.take(':')) this.#type()
      return { name, isOptional, type: { is: 'text', text: this.textFrom(start) } }
    }
    this.expect(':')
    return { name, isOptional, type: this.#type() }
  }
}
