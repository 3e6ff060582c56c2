import type { JsonObject } from '../../../protocol/json/json.ts'
import { TooLarge } from '../budget.ts'
import type { Form, Interface } from '../model.ts'
import { keyOf } from '../schema/source.ts'
import { unknownParts } from './annotations.ts'
import { parseGraphql } from './graphql/parse.ts'
import { parseProto } from './protobuf/parse.ts'
import { NotReadable } from './text/cursor.ts'
import { readTypeScript } from './typescript/read.ts'

const FORMS: readonly { readonly form: Form; readonly keys: readonly string[] }[] = [
  { form: 'graphql', keys: ['graphql', 'sdl'] },
  { form: 'protobuf', keys: ['proto', 'protobuf'] },
  { form: 'typescript', keys: ['typescript', 'ts', 'types'] },
]

export interface TextForm {
  readonly form: Form
  readonly key: string
  readonly text: string
}

/** The text in a language of its own that content consists of. */
export function textFormOf(value: JsonObject): TextForm | undefined {
  for (const { form, keys } of FORMS)
    for (const key of keys) {
      const text = keyOf(value, key)
      if (typeof text === 'string') return { form, key, text }
    }
  return undefined
}

/** What the text means, or why that is not known. Whatever stands beside it has to stay equal. */
export function readTextForm(value: JsonObject, { form, key, text }: TextForm): Interface | string {
  const opaque = unknownParts(value, new Set([key]), { at: '', sender: 'both' })
  const base = { form, content: value }
  const beside = { key: 'beside', prefix: '', sender: 'both' as const, slots: [], opaque }
  try {
    if (form === 'graphql')
      return { ...base, operations: [beside], findings: [], graphql: parseGraphql(text) }
    if (form === 'protobuf')
      return { ...base, operations: [beside], findings: [], protobuf: parseProto(text) }
    const { operations, findings } = readTypeScript(text)
    const [operation = beside] = operations
    return { ...base, operations: [{ ...operation, opaque }], findings }
  } catch (error) {
    if (error instanceof TooLarge) return `it has ${error.message}`
    if (error instanceof NotReadable) return `its ${form} text is not read: ${error.message}`
    throw error
  }
}
