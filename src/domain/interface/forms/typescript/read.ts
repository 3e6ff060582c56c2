import type { Json, JsonObject } from '../../../../protocol/json/json.ts'
import type { Budget } from '../../budget.ts'
import { Findings } from '../../findings/found.ts'
import type { Finding, Operation, Slot } from '../../model.ts'
import type { SchemaDocument } from '../../schema/source.ts'
import { wholeOperation } from '../annotations.ts'
import { NotReadable } from '../text/cursor.ts'
import { type Declaration, parseTypeScript, type TypeNode } from './parse.ts'

const SIMPLE: Record<string, Json> = {
  string: { type: 'string' },
  number: { type: 'number' },
  bigint: { type: 'integer' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  any: true,
  unknown: true,
  object: { type: 'object' },
  never: false,
}

/** Declared types as models that both sides share. Throws NotReadable where the text is something else. */
export function readTypeScript(
  text: string,
  budget: Budget,
): { operations: Operation[]; findings: readonly Finding[] } {
  const declarations = parseTypeScript(text, budget)
  const types = new Map(declarations.map((declaration) => [declaration.name, declaration.type]))
  if (types.size < declarations.length) throw new NotReadable('a type is declared twice')
  const findings = new Findings()
  const schemaOf = schemaMaker(types, findings)
  const root: Record<string, Json> = {}
  const document: SchemaDocument = { root: { $types: root }, ignoresRefSiblings: false }
  for (const [name, type] of types)
    Object.defineProperty(root, name, { value: schemaOf(type, name), enumerable: true })
  const slots = shared(declarations).map(({ name }): Slot => {
    const schema: Json = { $ref: `#/$types/${name}` }
    return { at: `model.${name}`, sender: 'both', required: true, schema: { schema, document } }
  })
  return { operations: [wholeOperation('model', slots, [])], findings: findings.list }
}

/** What is exported is shared; where nothing is, all of it. */
function shared(declarations: readonly Declaration[]): readonly Declaration[] {
  const exported = declarations.filter(({ isExported }) => isExported)
  return exported.length > 0 ? exported : declarations
}

type Fields = Pick<Extract<TypeNode, { is: 'object' }>, 'members' | 'others'>

/** Makes schemas of types, which may lead to those that are declared. */
function schemaMaker(types: ReadonlyMap<string, TypeNode>, findings: Findings) {
  return schema

  function schema(type: TypeNode, at: string): Json {
    switch (type.is) {
      case 'value':
        return { const: type.value }
      case 'list':
        return { type: 'array', items: schema(type.items, `${at}[]`) }
      case 'tuple':
        return {
          type: 'array',
          prefixItems: type.items.map((one) => schema(one, at)),
          items: false,
          minItems: type.items.length,
        }
      case 'union':
        return { anyOf: type.parts.filter((part) => !isUndefined(part)).map((part) => schema(part, at)) }
      case 'all':
        return { allOf: type.parts.map((part) => schema(part, at)) }
      case 'object':
        return object(type, at)
      case 'text':
        return unreadable(type.text, at)
      case 'name':
        return named(type.name, type.args, at)
      default:
        return type satisfies never
    }
  }

  function unreadable(text: string, at: string): Json {
    findings.add('unreadable-type', at, 'this type is not read; write the data it stands for')
    return { $unreadable: text }
  }

  function object({ members, others }: Fields, at: string): JsonObject {
    const properties = members.map(({ name, type }): [string, Json] => [name, schema(type, `${at}.${name}`)])
    const required = members
      .filter(({ isOptional, type }) => !isOptional && !mayBeUndefined(type))
      .map(({ name }) => name)
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      required,
      ...(others === null ? {} : { additionalProperties: schema(others, `${at}.*`) }),
    }
  }

  function named(name: string, args: readonly TypeNode[], at: string): Json {
    if (args.length === 0 && types.has(name)) return { $ref: `#/$types/${name}` }
    if (args.length === 0 && Object.hasOwn(SIMPLE, name)) return SIMPLE[name] ?? true
    const [first, second] = args
    if (first !== undefined) {
      if (name === 'Array' || name === 'ReadonlyArray')
        return { type: 'array', items: schema(first, `${at}[]`) }
      if (name === 'Readonly') return schema(first, at)
      if (name === 'Record' && second !== undefined) return record(first, second, at)
      const fields = madeFrom(name, first, second)
      if (fields !== undefined) return object(fields, at)
    }
    return unreadable(args.length === 0 ? name : `${name}<${JSON.stringify(args)}>`, at)
  }

  function record(keys: TypeNode, values: TypeNode, at: string): Json {
    if (keys.is === 'name' && keys.name === 'string')
      return { type: 'object', additionalProperties: schema(values, `${at}.*`) }
    const names = namesIn(keys)
    if (names === undefined) return unreadable(JSON.stringify(keys), at)
    return object(
      { members: names.map((name) => ({ name, isOptional: false, type: values })), others: null },
      at,
    )
  }

  /** Types that are made from the properties of another one. */
  function madeFrom(name: string, of: TypeNode, keys: TypeNode | undefined): Fields | undefined {
    const fields = fieldsOf(of, 0)
    if (fields === undefined) return undefined
    const { members, others } = fields
    if (name === 'Partial') return { members: members.map((one) => ({ ...one, isOptional: true })), others }
    if (name === 'Required') return { members: members.map((one) => ({ ...one, isOptional: false })), others }
    const names = keys === undefined ? undefined : namesIn(keys)
    if (names === undefined) return undefined
    if (name === 'Pick') return { members: members.filter((one) => names.includes(one.name)), others: null }
    if (name === 'Omit') return { members: members.filter((one) => !names.includes(one.name)), others }
    return undefined
  }

  function fieldsOf(type: TypeNode, depth: number): Fields | undefined {
    if (depth > 20) return undefined
    if (type.is === 'object') return type
    if (type.is === 'name' && type.args.length === 0) {
      const declared = types.get(type.name)
      return declared === undefined ? undefined : fieldsOf(declared, depth + 1)
    }
    if (type.is !== 'all') return undefined
    const parts = type.parts.map((part) => fieldsOf(part, depth + 1))
    if (!parts.every((part) => part !== undefined)) return undefined
    const members = new Map(parts.flatMap((part) => part.members.map((one) => [one.name, one] as const)))
    return {
      members: [...members.values()],
      others: parts.find(({ others }) => others !== null)?.others ?? null,
    }
  }
}

const isUndefined = (type: TypeNode): boolean =>
  type.is === 'name' && (type.name === 'undefined' || type.name === 'void')

const mayBeUndefined = (type: TypeNode): boolean =>
  isUndefined(type) || (type.is === 'union' && type.parts.some(isUndefined))

/** Names that are written as a union of texts. */
function namesIn(type: TypeNode): string[] | undefined {
  const parts = type.is === 'union' ? type.parts : [type]
  const names = parts.map((part) =>
    part.is === 'value' && typeof part.value === 'string' ? part.value : undefined,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}
