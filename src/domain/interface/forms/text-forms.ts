import type { JsonObject } from '../../../protocol/json/json.ts'
import type { Budget } from '../budget.ts'
import type { Finding, Form, Interface } from '../model.ts'
import { unknownParts, wholeOperation } from './annotations.ts'
import type { Content } from './content.ts'
import { parseGraphql } from './graphql/parse.ts'
import { parseProto } from './protobuf/parse.ts'
import { NotReadable } from './text/cursor.ts'
import { readTypeScript } from './typescript/read.ts'

/** What was read of content. */
export interface Read extends Pick<Interface, 'form' | 'operations' | 'graphql' | 'protobuf'> {
  /** What was found on the way; left out where that is in `content`. */
  readonly findings?: readonly Finding[]
  /** Left out of what is text in a language of its own. */
  readonly content?: Content
}

type TextForm = Extract<Form, 'graphql' | 'protobuf' | 'typescript'>

const FORMS: readonly (readonly [string, TextForm])[] = [
  ['graphql', 'graphql'],
  ['sdl', 'graphql'],
  ['proto', 'protobuf'],
  ['protobuf', 'protobuf'],
  ['typescript', 'typescript'],
  ['ts', 'typescript'],
  ['types', 'typescript'],
]

/**
 * What content means that consists of text in a language of its own, or why that is not known; undefined of any other.
 * Whatever stands beside the text has to stay equal.
 */
export function readTextForm(value: JsonObject, budget: Budget): Read | string | undefined {
  for (const [key, form] of FORMS) {
    const text = value[key]
    if (typeof text === 'string') return readAs(form, text, { value, key, budget })
  }
  return undefined
}

function readAs(
  form: TextForm,
  text: string,
  { value, key, budget }: { value: JsonObject; key: string; budget: Budget },
): Read | string {
  const opaque = unknownParts(value, new Set([key]), { at: '', sender: 'both' })
  const beside = wholeOperation('beside', [], opaque)
  try {
    if (form === 'graphql') return { form, operations: [beside], graphql: parseGraphql(text, budget) }
    if (form === 'protobuf') return { form, operations: [beside], protobuf: parseProto(text, budget) }
    const { operations, findings } = readTypeScript(text, budget)
    const [operation = beside] = operations
    return { form, operations: [{ ...operation, opaque }], findings }
  } catch (error) {
    if (error instanceof NotReadable) return `its ${form} text is not read: ${error.message}`
    throw error
  }
}
