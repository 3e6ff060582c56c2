/** What a proto text declares; everything goes by its full name without the package. */
export interface ProtoSchema {
  readonly syntax: string
  readonly packageName: string
  readonly messages: ReadonlyMap<string, ProtoMessage>
  readonly enums: ReadonlyMap<string, ProtoEnum>
  readonly calls: ReadonlyMap<string, ProtoCall>
}

export interface ProtoMessage {
  readonly fields: ReadonlyMap<number, ProtoField>
  readonly reserved: Reserved
}

export interface ProtoEnum {
  readonly values: ReadonlyMap<number, string>
  readonly reserved: Reserved
}

export interface Reserved {
  readonly ranges: readonly (readonly [number, number])[]
  readonly names: ReadonlySet<string>
}

export interface ProtoField {
  readonly name: string
  readonly jsonName: string
  /** Scalar, full name of a message or enum, or `map<K, V>`. */
  readonly type: string
  readonly label: 'required' | 'optional' | 'repeated' | 'plain'
  readonly oneof: string | null
}

export interface ProtoCall {
  readonly request: string
  readonly response: string
  readonly streams: string
}

export const isReserved = ({ ranges }: Reserved, number: number): boolean =>
  ranges.some(([from, to]) => from <= number && number <= to)
