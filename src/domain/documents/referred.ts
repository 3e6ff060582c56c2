import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { keyOf, pointerKey, targetOf } from '../interface/schema/source.ts'
import { NotADocument } from './item.ts'

/** Where parts of a document may stand that others refer to; what is elsewhere would come with what is around it. */
const PLACES = /^#\/(?:components|definitions|\$defs|x-files|channels)\//

/** All references in a value, each once. A discriminator refers to schemas by its mapping. */
function* refsIn(value: Json | undefined): Iterable<string> {
  if (Array.isArray(value)) for (const inner of value as readonly Json[]) yield* refsIn(inner)
  if (!isJsonObject(value)) return
  for (const [key, inner] of Object.entries(value))
    if (key === '$ref' && typeof inner === 'string') yield inner
    else if (key === 'mapping' && isJsonObject(inner))
      for (const target of Object.values(inner)) {
        if (typeof target === 'string' && target.startsWith('#/')) yield target
      }
    else yield* refsIn(inner)
}

/** Makes documents of their own from one: of what is given, with all that it refers to where that stood. */
export function cutterOf(root: JsonObject): (value: JsonObject) => JsonObject {
  const refs = new Map<string, readonly string[]>()

  function refsOf(ref: string): readonly string[] {
    return getOrAdd(refs, ref, () => [...new Set(refsIn(target(ref)))])
  }

  function target(ref: string): Json {
    const found = targetOf(ref, { root, ignoresRefSiblings: true })
    if (found === undefined) throw new NotADocument(`$ref «${ref}» leads nowhere in the document`)
    if (ref !== '#' && !PLACES.test(ref))
      throw new NotADocument(`$ref «${ref}» leads into another part of the document: move it to components`)
    return found
  }

  return (value) => {
    const found = new Set<string>()
    const next = [...new Set(refsIn(value))]
    for (let ref = next.pop(); ref !== undefined; ref = next.pop()) {
      if (found.has(ref)) continue
      found.add(ref)
      for (const inner of refsOf(ref)) next.push(inner)
    }
    found.delete('#')
    return [...found]
      .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))
      .reduce((made, ref) => put(made, ref.slice(2).split('/').map(pointerKey), target(ref)), value)
  }
}

/** A copy with the value at a path; what is there already stays. */
function put(object: JsonObject, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  const there = keyOf(object, key)
  if (rest.length === 0) return there === undefined ? withKey(object, key, value) : object
  // Inside of a part that is there as a whole, so is this.
  const inner = isJsonObject(there) ? there : there === undefined ? {} : undefined
  return inner === undefined ? object : withKey(object, key, put(inner, rest, value))
}

/** With any name, `__proto__` too. */
const withKey = (object: JsonObject, key: string, value: Json): JsonObject =>
  Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, value]]) as JsonObject

export const pointerPiece = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll('~', '~0')
    .replaceAll('%2F', '~1')
    .replaceAll(/%(?:24|7B|7D|3A|40|2C)/g, decodeURIComponent)
