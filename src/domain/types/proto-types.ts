import type { ProtoField, ProtoSchema } from '../interface/forms/protobuf/schema.ts'
import type { Catalogue } from './catalogue.ts'
import { ANY, type Shape, type Type } from './declaration.ts'

/** Scalars as the JSON mapping of protobuf writes them: what may be beyond 2^53 is text, and so are bytes. */
const SCALARS: Readonly<Record<string, 'string' | 'integer' | 'number' | 'boolean'>> = {
  double: 'number',
  float: 'number',
  int32: 'integer',
  uint32: 'integer',
  sint32: 'integer',
  fixed32: 'integer',
  sfixed32: 'integer',
  int64: 'string',
  uint64: 'string',
  sint64: 'string',
  fixed64: 'string',
  sfixed64: 'string',
  bool: 'boolean',
  string: 'string',
  bytes: 'string',
  'google.protobuf.Timestamp': 'string',
  'google.protobuf.Duration': 'string',
  'google.protobuf.FieldMask': 'string',
}

/** Declares each message and enum of a proto text as its JSON mapping sends it. */
export function declareProto(catalogue: Catalogue, { messages, enums }: ProtoSchema): string | undefined {
  if (messages.size + enums.size === 0) return 'it declares no message'
  const names = new Map([...messages.keys(), ...enums.keys()].map((name) => [name, catalogue.name(name)]))
  const shapeOf = (type: string): Shape => {
    const [, values] = /^map<[^,]+,\s*(.+)>$/.exec(type) ?? []
    if (values !== undefined) return { kind: 'map', of: plain(shapeOf(values)) }
    const kind = Object.hasOwn(SCALARS, type) ? SCALARS[type] : undefined
    if (kind !== undefined) return { kind }
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
