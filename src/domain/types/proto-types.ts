import type { ProtoField, ProtoSchema } from '../interface/forms/protobuf/schema.ts'
import type { Catalogue } from './catalogue.ts'
import { ANY, type Shape, scalars, type Type } from './declaration.ts'

/** Scalars as the JSON mapping of protobuf writes them: what may be beyond 2^53 is text, and so are bytes. */
const SCALARS = new Map([
  ...scalars('number', 'double float'),
  ...scalars('integer', 'int32 uint32 sint32 fixed32 sfixed32'),
  ...scalars('string', 'int64 uint64 sint64 fixed64 sfixed64 string bytes'),
  ...scalars('string', 'google.protobuf.Timestamp google.protobuf.Duration google.protobuf.FieldMask'),
  ...scalars('boolean', 'bool'),
])

/** Declares each message and enum of a proto text as its JSON mapping sends it. */
export function declareProto(catalogue: Catalogue, { messages, enums }: ProtoSchema): string | undefined {
  if (messages.size + enums.size === 0) return 'it declares no message'
  const names = new Map([...messages.keys(), ...enums.keys()].map((name) => [name, catalogue.name(name)]))
  const shapeOf = (type: string): Shape => {
    const [, values] = /^map<[^,]+,\s*(.+)>$/.exec(type) ?? []
    if (values !== undefined) return { kind: 'map', of: plain(shapeOf(values)) }
    const scalar = SCALARS.get(type)
    if (scalar !== undefined) return scalar
    const name = names.get(type)
    return name === undefined ? ANY.shape : { kind: 'named', name }
  }
  const typeOf = ({ type, label }: ProtoField): Type =>
    plain(label === 'repeated' ? { kind: 'list', of: plain(shapeOf(type)) } : shapeOf(type))
  for (const [key, { fields }] of messages)
    catalogue.declare({
      name: names.get(key) ?? key,
      is: {
        // A field that has its default is left out.
        fields: [...fields.values()].map((field) => ({
          name: field.jsonName,
          type: typeOf(field),
          isRequired: field.label === 'required',
        })),
        hasOthers: false,
      },
    })
  for (const [key, { values }] of enums)
    catalogue.declare({
      name: names.get(key) ?? key,
      is: plain({ kind: 'literals', values: [...new Set(values.values())] }),
    })
  return undefined
}

const plain = (shape: Shape): Type => ({ shape, isNullable: false })
