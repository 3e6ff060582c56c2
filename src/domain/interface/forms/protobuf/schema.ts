/** What a proto text declares; everything goes by its full name without the package. */
export interface ProtoSchema extends WithOptions {
  readonly syntax: string
  readonly packageName: string
  readonly messages: ReadonlyMap<string, ProtoMessage>
  readonly enums: ReadonlyMap<string, ProtoEnum>
  readonly calls: ReadonlyMap<string, ProtoCall>
}

/** Options that may say something about what is sent, as text. */
export interface WithOptions {
  readonly options: string
}

export interface ProtoMessage extends WithOptions {
  readonly fields: ReadonlyMap<number, ProtoField>
  readonly reserved: Reserved
}

export interface ProtoEnum extends WithOptions {
  readonly values: ReadonlyMap<number, string>
  readonly reserved: Reserved
}

/** Numbers that are not used again, from one to the other. */
type Reserved = readonly (readonly [from: number, to: number])[]

export interface ProtoField extends WithOptions {
  readonly name: string
  readonly jsonName: string
  /** Scalar, full name of a message or enum, or `map<K, V>`. */
  readonly type: string
  readonly label: 'required' | 'optional' | 'repeated' | 'plain'
  readonly oneof: string | null
}

export interface ProtoCall extends WithOptions {
  readonly request: string
  readonly response: string
  readonly streams: string
}

export const isReserved = (reserved: Reserved, number: number): boolean =>
  reserved.some(([from, to]) => from <= number && number <= to)
