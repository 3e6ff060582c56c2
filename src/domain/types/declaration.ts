import { wordList } from '../interface/word-set.ts'

/** What is generated, before it is written in a language. */

/** What a value may be, null aside: null is kept apart, because languages write it at the place of use. */
export type Shape =
  | { readonly kind: 'any' | 'never' | 'boolean' | 'integer' | 'number' | 'string' }
  | { readonly kind: 'literals'; readonly values: readonly Literal[] }
  | { readonly kind: 'list' | 'map'; readonly of: Type }
  | { readonly kind: 'union'; readonly parts: readonly Shape[] }
  | { readonly kind: 'named'; readonly name: string }

export type Literal = string | number | boolean

export interface Type {
  readonly shape: Shape
  readonly isNullable: boolean
}

export interface Field {
  /** As it is sent. */
  readonly name: string
  readonly type: Type
  /** Whether it may not be left out, which is something else than being null. */
  readonly isRequired: boolean
}

export interface Declaration {
  readonly name: string
  readonly is: Type | ObjectShape
}

export interface ObjectShape {
  readonly fields: readonly Field[]
  /** Besides the fields others are declared, so that they belong to the contract. */
  readonly hasOthers: boolean
}

/** The declarations of one contract. */
export interface Section {
  readonly title: string
  /** Why there are none. */
  readonly why?: string
  readonly declarations: readonly Declaration[]
}

export const ANY: Type = { shape: { kind: 'any' }, isNullable: false }

export const isObject = (is: Declaration['is']): is is ObjectShape => 'fields' in is

/** Names of types that are all sent as one kind of value. */
export const scalars = (kind: 'string' | 'integer' | 'number' | 'boolean', names: string) =>
  wordList(names).map((name): [string, Shape] => [name, { kind }])

/** Each section with its title as a comment. */
export const sectionTexts = (
  sections: readonly Section[],
  comment: string,
  declared: (declaration: Declaration) => string,
): string[] =>
  sections.flatMap(({ title, why, declarations }) => [
    `\n${comment} ${title}${why === undefined ? '' : `: ${why}`}\n`,
    ...declarations.map(declared),
  ])
