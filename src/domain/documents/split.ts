import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { entriesOf } from '../interface/forms/content.ts'
import { keyOf } from '../interface/schema/source.ts'
import { isSchema } from '../interface/words/recognise-schema.ts'
import { type Item, NotADocument, SOURCE } from './item.ts'
import { cutterOf } from './referred.ts'
import { splitAsyncApi } from './split-asyncapi.ts'
import { splitOpenApi } from './split-openapi.ts'

/** Operations, messages or models of one document that are taken. */
export const MOST_ITEMS = 5000

export interface Split {
  readonly items: readonly Item[]
  /** What cannot be a contract, and why. */
  readonly refused: readonly { readonly name: string; readonly why: string }[]
}

interface Naming {
  /** Path of the file, as it is remembered. */
  readonly source: string
  /** What a document is called that has no name in itself. */
  readonly fallback: string
  /** Names that are wanted; all where it is left out. */
  readonly isWanted?: (name: string) => boolean
}

/** Takes a document apart into contents of contracts. Throws `NotADocument` where it is none that is known. */
export function splitDocument(
  document: JsonObject,
  { source, fallback, isWanted = () => true }: Naming,
): Split {
  const items = new Map<string, Item>()
  const refused: { name: string; why: string }[] = []
  let count = 0
  for (const make of itemsOf(document, fallback)) {
    if (++count > MOST_ITEMS)
      throw new NotADocument(`it has more than ${MOST_ITEMS} operations, messages or models: divide it`)
    const { name: long, type, content } = make()
    const name = long.slice(0, LIMITS.nameLength)
    if (!isWanted(name)) continue
    const own = { ...content, [SOURCE]: source }
    if (items.has(name)) refused.push({ name, why: 'the document says it twice' })
    else if (JSON.stringify(own).length > LIMITS.contentLength)
      refused.push({
        name,
        why: `with all that it refers to it has more than ${LIMITS.contentLength} characters`,
      })
    else items.set(name, { name, type, content: own })
  }
  return { items: [...items.values()], refused }
}

/** A text in a language of its own is one contract: its types mean nothing without each other. */
const TEXTS = ['graphql', 'proto', 'typescript']

function itemsOf(document: JsonObject, fallback: string): Iterable<() => Item> {
  const { openapi, asyncapi, swagger } = document
  if (typeof openapi === 'string' && /^3\.[01]/.test(openapi)) return splitOpenApi(document)
  if (typeof asyncapi === 'string' && /^[23]\./.test(asyncapi)) return splitAsyncApi(document)
  for (const [word, version] of Object.entries({ openapi, asyncapi, swagger }))
    if (version !== undefined)
      throw new NotADocument(
        `it is ${word} ${String(version)}; OpenAPI 3.0 and 3.1, and AsyncAPI 2 and 3 are known`,
      )
  if (TEXTS.some((key) => typeof document[key] === 'string'))
    return [() => ({ name: fallback, type: 'custom', content: document })]
  return splitSchema(document, fallback)
}

/** A schema is one model; a file that only defines some has one for each. */
function* splitSchema(document: JsonObject, fallback: string): Iterable<() => Item> {
  const tables = ['$defs', 'definitions'].map((key) => keyOf(document, key))
  const { $defs: _, definitions: __, $schema, $id: ___, title, description: ____, ...said } = document
  if (Object.keys(said).some((key) => !key.startsWith('x-')) && isSchema(document)) {
    yield () => ({
      name: typeof title === 'string' && title !== '' ? title : fallback,
      type: 'data_model',
      content: document,
    })
    return
  }
  const cut = cutterOf(document)
  let isAny = false
  for (const table of tables)
    for (const [name, schema] of entriesOf(table)) {
      isAny = true
      yield () => ({
        name,
        type: 'data_model',
        content: cut({
          ...($schema === undefined ? {} : { $schema }),
          ...(isJsonObject(schema) ? schema : { allOf: [schema] }),
        }),
      })
    }
  if (!isAny) throw new NotADocument('it is neither OpenAPI, AsyncAPI, JSON Schema, GraphQL nor protobuf')
}
