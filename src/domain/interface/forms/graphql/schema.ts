/** What an SDL text declares. */
export interface GraphqlSchema {
  readonly types: ReadonlyMap<string, GraphqlType>
  /** Declarations of directives as text. */
  readonly directives: ReadonlyMap<string, string>
}

export type GraphqlKind = 'object' | 'interface' | 'input' | 'enum' | 'union' | 'scalar'

export interface GraphqlType {
  readonly kind: GraphqlKind
  readonly fields: ReadonlyMap<string, GraphqlField>
  /** Values of an enum, members of a union. */
  readonly values: ReadonlySet<string>
  readonly interfaces: ReadonlySet<string>
}

export interface GraphqlField extends GraphqlValue {
  readonly args: ReadonlyMap<string, GraphqlValue>
}

export interface GraphqlValue {
  readonly type: TypeRef
  readonly fallback: string | null
}

export type TypeRef = { readonly isRequired: boolean } & (
  | { readonly name: string }
  | { readonly list: TypeRef }
)

export const typeText = (type: TypeRef): string =>
  ('list' in type ? `[${typeText(type.list)}]` : type.name) + (type.isRequired ? '!' : '')

export const namedIn = (type: TypeRef): string => ('list' in type ? namedIn(type.list) : type.name)
