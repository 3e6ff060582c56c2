import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { entriesOf } from '../interface/forms/content.ts'
import { FILES } from './item.ts'
import { pointerPiece } from './referred.ts'

/** Parts that are referred to, by where they stand: `components/schemas` → name → part. */
type Shelf = Map<string, Json>

/** Puts the parts of several documents together: what is the same is there once, what only has the same name gets another. */
export class Joined {
  readonly #shelves = new Map<string, Shelf>()

  /** Takes the parts of a document in, and returns the rest of it with references to where they are now. */
  take(document: JsonObject): JsonObject {
    const { components, [FILES]: files, ...rest } = document
    const parts = [
      ...entriesOf(components).flatMap(([kind, shelf]) =>
        entriesOf(shelf).map(([name, part]) => ({ shelf: `components/${kind}`, name, part })),
      ),
      ...entriesOf(files).map(([name, part]) => ({ shelf: FILES, name, part })),
    ]
    const renamed = this.#renamesOf(parts)
    for (const { shelf, name, part } of parts) {
      const own = renamed.get(refTo(shelf, name))?.name ?? name
      this.#shelf(shelf).set(own, rewritten(part, renamed))
    }
    return rewritten(rest, renamed) as JsonObject
  }

  /** To give one part another name changes those that refer to it, so that it is looked at again until nothing changes. */
  #renamesOf(parts: readonly Part[]): ReadonlyMap<string, Renamed> {
    const renamed = new Map<string, Renamed>()
    for (let isChanged = true; isChanged; ) {
      isChanged = false
      for (const { shelf, name, part } of parts) {
        const ref = refTo(shelf, name)
        const own = this.#freeName(shelf, renamed.get(ref)?.name ?? name, rewritten(part, renamed))
        if (own === (renamed.get(ref)?.name ?? name)) continue
        renamed.set(ref, { shelf, name: own })
        isChanged = true
      }
    }
    return renamed
  }

  #freeName(shelf: string, wanted: string, part: Json): string {
    const there = this.#shelf(shelf)
    const text = canonicalText(part)
    const isFree = (name: string) => {
      const known = there.get(name)
      return known === undefined || canonicalText(known) === text
    }
    let name = wanted
    for (let number = 2; !isFree(name); number++) name = `${wanted}_${number}`
    return name
  }

  #shelf(name: string): Shelf {
    return getOrAdd(this.#shelves, name, () => new Map())
  }

  /** All parts, as they stand in a document. */
  parts(): JsonObject {
    const components: [string, Json][] = []
    const files = [...(this.#shelves.get(FILES) ?? [])]
    for (const [place, shelf] of this.#shelves)
      if (place !== FILES && shelf.size > 0)
        components.push([place.replace(/^components\//, ''), Object.fromEntries(shelf)])
    return {
      ...(components.length === 0 ? {} : { components: Object.fromEntries(components) }),
      ...(files.length === 0 ? {} : { [FILES]: Object.fromEntries(files) }),
    }
  }
}

interface Renamed {
  readonly shelf: string
  readonly name: string
}

interface Part extends Renamed {
  readonly part: Json
}

const refTo = (shelf: string, name: string): string => `#/${shelf}/${pointerPiece(name)}`

/** A copy with other references, and other names of ways to sign in, which are referred to by name alone. */
function rewritten(value: Json, renamed: ReadonlyMap<string, Renamed>): Json {
  if (renamed.size === 0) return value
  const refs = (text: string): string => {
    for (const [ref, { shelf, name }] of renamed)
      if (text === ref || text.startsWith(`${ref}/`)) return `${refTo(shelf, name)}${text.slice(ref.length)}`
    return text
  }
  const walk = (inner: Json, key = ''): Json => {
    if (Array.isArray(inner))
      return (inner as readonly Json[]).map((one) => (key === 'security' ? way(one) : walk(one)))
    if (!isJsonObject(inner)) return inner
    return Object.fromEntries(
      entriesOf(inner).map(([name, one]) => [
        name,
        typeof one === 'string' && (name === '$ref' || (key === 'mapping' && one.startsWith('#/')))
          ? refs(one)
          : walk(one, name),
      ]),
    )
  }
  const way = (one: Json): Json =>
    isJsonObject(one)
      ? Object.fromEntries(
          entriesOf(one).map(([name, scopes]) => [
            renamed.get(refTo('components/securitySchemes', name))?.name ?? name,
            scopes,
          ]),
        )
      : one
  return walk(value)
}
